"""Drawing with OpenGL, by the names that it has had since 3.6."""
