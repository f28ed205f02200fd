"""One module a command: ``arguments_of(parser)``, and ``run(options)``, which does the work."""
