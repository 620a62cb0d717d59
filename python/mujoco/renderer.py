"""Pictures of a model as arrays."""


class Renderer:
    pass
