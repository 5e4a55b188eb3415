"""The page at /home: who lives here, what the devices read, what cameras judge, and where rules are."""
