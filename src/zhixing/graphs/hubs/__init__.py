"""What is done with a hub that runs rule graphs: look, create, change, deploy and take back, through its port."""
