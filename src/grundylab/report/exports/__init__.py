"""What is found, in the forms that papers, databases and other programs take."""
