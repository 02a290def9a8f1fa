"""What every part of the package stands on: settings, files, memory, random numbers, threads. Not public."""
