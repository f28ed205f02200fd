"""The commands, one module each: ``arguments_of(parser)`` declares the arguments, ``run(options)`` does the work."""
