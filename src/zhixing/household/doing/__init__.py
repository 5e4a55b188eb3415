"""What a household task does when its moment has come: devices, records, notifications, runs that need judgement."""
