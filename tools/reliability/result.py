"""What a line of the table found."""

import dataclasses


@dataclasses.dataclass
class Result:
    line: str
    count: int  # candidates tried
    figures: dict  # what the line measures
    findings: list = dataclasses.field(default_factory=list)  # texts, one a fault; empty: the target is reached
    seconds: float = 0

    @property
    def passed(self) -> bool:
        return not self.findings
