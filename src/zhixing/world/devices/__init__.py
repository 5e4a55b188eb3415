"""Devices, rooms, cameras and people of a home: the port, and the virtual home that needs no hardware."""
