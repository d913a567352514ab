"""What a memory file is: its name, header, text and links, and the rules that each of them keeps."""
