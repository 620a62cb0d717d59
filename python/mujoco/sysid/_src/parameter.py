"""Parameters that are identified: values with bounds, and what writes them into a model."""

import copy
import enum
import json
import pathlib

import numpy as np


class InertiaType(enum.Enum):
    """What of a body's inertia a parameter has."""

    Mass = 0
    MassIpos = 1
    Pseudo = 2


class Parameter:
    """A number, or several, with a nominal value and bounds. `modifier` writes it into a specification."""

    def __init__(self, name, nominal, min_value, max_value, frozen=False, modifier=None):
        self.name = name
        self.nominal = np.atleast_1d(np.asarray(nominal))
        self.min_value, self.max_value = np.atleast_1d(np.asarray(min_value)), np.atleast_1d(np.asarray(max_value))
        if not self.nominal.shape == self.min_value.shape == self.max_value.shape:
            raise ValueError(f"{name}: nominal value and bounds need one shape, not {self.nominal.shape}, {self.min_value.shape} and {self.max_value.shape}")
        self.value = self.nominal.copy()
        self.frozen, self.modifier = frozen, modifier

    @property
    def size(self):
        return self.nominal.size

    @property
    def shape(self):
        return self.nominal.shape

    def apply_modifier(self, spec):
        if self.modifier is not None:
            self.modifier(spec, self)

    def as_vector(self):
        return self.value.ravel()

    def as_nominal_vector(self):
        return self.nominal.ravel()

    def update_from_vector(self, vector):
        vector = np.asarray(vector)
        if vector.size != self.size:
            raise ValueError(f"Input vector length {vector.size} does not match parameter size {self.size}.")
        self.value = vector.reshape(self.shape).copy()

    def get_bounds(self):
        return self.min_value.ravel(), self.max_value.ravel()

    def reset(self):
        self.value = self.nominal.copy()

    def sample(self, rng=None):
        rng = np.random.default_rng() if rng is None else rng
        return rng.uniform(self.min_value, self.max_value)

    def __repr__(self):
        return f"{self.name}: {self.value} in [{self.min_value}, {self.max_value}]"


class ParameterDict:
    """Parameters by name. Vectors have those that are not frozen."""

    def __init__(self, parameters=None):
        self.parameters = dict(parameters or {})

    def copy(self):
        return copy.deepcopy(self)

    def add(self, param):
        self.parameters[param.name] = param

    def update(self, pdict):
        self.parameters.update(pdict.parameters)

    def keys(self):
        return list(self.parameters.keys())

    def values(self):
        return list(self.parameters.values())

    def items(self):
        return list(self.parameters.items())

    def __getitem__(self, name):
        return self.parameters[name]

    def __setitem__(self, name, param):
        self.parameters[name] = param

    def __delitem__(self, name):
        del self.parameters[name]

    def __contains__(self, name):
        return name in self.parameters

    def __iter__(self):
        return iter(self.parameters)

    def __len__(self):
        return len(self.parameters)

    def _free(self):
        return [param for param in self.parameters.values() if not param.frozen]

    @property
    def size(self):
        return sum(param.size for param in self._free())

    def as_vector(self, include_frozen=False):
        params = self.values() if include_frozen else self._free()
        return np.concatenate([np.zeros(0), *(param.as_vector() for param in params)])

    def as_nominal_vector(self, include_frozen=False):
        params = self.values() if include_frozen else self._free()
        return np.concatenate([np.zeros(0), *(param.as_nominal_vector() for param in params)])

    def update_from_vector(self, vector):
        begin, vector = 0, np.asarray(vector).ravel()
        if vector.size < self.size:
            raise ValueError(f"Input vector length {vector.size} does not match parameter size {self.size}.")
        for param in self._free():
            param.update_from_vector(vector[begin : begin + param.size])
            begin += param.size

    def get_bounds(self):
        bounds = [param.get_bounds() for param in self._free()]
        return tuple(np.concatenate([np.zeros(0), *(bound[side] for bound in bounds)]) for side in (0, 1))

    def reset(self):
        for param in self.parameters.values():
            param.reset()

    def sample(self, rng=None):
        rng = np.random.default_rng() if rng is None else rng
        return np.concatenate([np.zeros(0), *(param.sample(rng).ravel() for param in self._free())])

    def randomize(self, rng=None):
        self.update_from_vector(self.sample(rng))

    def save_to_disk(self, path):
        """Writes a text that is JSON, and YAML too."""
        fields = ("nominal", "min_value", "max_value", "value")
        data = {
            name: {"name": param.name, "frozen": param.frozen, **{field: getattr(param, field).tolist() for field in fields}}
            for name, param in self.parameters.items()
        }
        pathlib.Path(path).write_text(json.dumps(data, indent=1))

    @classmethod
    def load_from_disk(cls, path):
        text = pathlib.Path(path).read_text()
        try:
            data = json.loads(text)
        except json.JSONDecodeError:
            import yaml

            data = yaml.safe_load(text)
        params = {}
        for name, row in data.items():
            params[name] = Parameter(row["name"], row["nominal"], row["min_value"], row["max_value"], row["frozen"])
            params[name].value = np.asarray(row["value"]).reshape(params[name].shape)
        return cls(params)

    def get_non_frozen_parameter_names(self):
        names = []
        for param in self._free():
            names += [param.name] if param.size == 1 else [f"{param.name}[{i}]" for i in range(param.size)]
        return names

    def get_parameter_info(self):
        lines = ["Parameter Information:", f"{'Name':<20} {'Size':<10} {'Shape':<15} Frozen", "-" * 60]
        lines += [f"{param.name:<20} {param.size:<10} {str(param.shape):<15} {'Yes' if param.frozen else 'No'}" for param in self.values()]
        return "\n".join(lines)

    def compare_parameters(self, init_params, predicted_params, measured_params=None, sig_digits=4):
        """A table of initial, identified and, where they are known, true values."""
        lower, upper = self.get_bounds()
        nominal = self.as_nominal_vector()
        true = nominal if measured_params is None else np.asarray(measured_params)
        lines = [f"{'Parameter':<20} {'Initial':>12} {'Nominal':>12} {'Identified':>12} {'Lower':>12} {'Upper':>12} {'Abs Err':>12}"]
        for row in zip(self.get_non_frozen_parameter_names(), init_params, nominal, predicted_params, lower, upper, np.abs(predicted_params - true)):
            lines.append(f"{row[0]:<20} " + " ".join(f"{value:>12.{sig_digits}g}" for value in row[1:]))
        error = float(np.sqrt(np.mean((np.asarray(predicted_params) - true) ** 2))) if len(true) else 0.0
        return "\n".join([*lines, f"RMSE: {error:.{sig_digits}g}"])

    def __repr__(self):
        return "ParameterDict(\n  " + "\n  ".join(repr(param) for param in self.values()) + "\n)"
