"""Models that ask for more than there is: each must end with an error that says where, or load, within 2 s of processor time
and 1 GB of memory."""

import ctypes
import os
import resource

import children
from engine import Engine
from fuzz import Files, keep
from result import Result

SECONDS, BYTES = 2, 1 << 30
MANY = (1_000, 5_000, 20_000, 100_000, 1_000_000, 100_000_000, 2_000_000_000)


def _repeat(text: str, count: int, most: int = 3_000_000) -> str:
    return text * min(count, max(1, most // len(text)))


def _chain(count: int, joint: str) -> str:
    depth = min(count, 10_000)
    link = f'<body pos=".1 0 0">{joint}<geom size=".05"/>'
    return f"<worldbody>{link * depth}{'</body>' * depth}</worldbody>"


def models() -> list[tuple[str, str]]:
    """(name, MJCF), at least 300."""
    body = '<body><freejoint/><geom size=".1"/></body>'
    geom = '<geom size=".1"/>'
    found = []

    def add(name: str, sections: str) -> None:
        found.append((name, f"<mujoco>\n{sections}\n</mujoco>"))

    for n in MANY:
        side = max(2, int(n**0.5))
        add(f"replicate {n}", f'<worldbody><replicate count="{n}" offset="1 0 0">{body}</replicate></worldbody>')
        add(f"replicate twice {n}", f'<worldbody><replicate count="{side}"><replicate count="{side}">{geom}</replicate></replicate></worldbody>')
        for shape in ("ball", "hinge", "free", "slide"):
            joint = "<freejoint/>" if shape == "free" else f'<joint type="{shape}"/>'
            add(f"{shape} joints {n}", f'<worldbody><replicate count="{n}"><body>{joint}{geom}</body></replicate></worldbody>')
        add(f"cable {n}", '<extension><plugin plugin="mujoco.elasticity.cable"/></extension><worldbody>'
            f'<composite type="cable" count="{n} 1 1" size="1" curve="s" initial="none"><joint kind="main"/>'
            '<geom type="capsule" size=".01"/></composite></worldbody>')
        for dim, counts in ((1, f"{n} 1 1"), (2, f"{side} {side} 1"), (3, " ".join([str(max(2, round(n**(1 / 3))))] * 3))):
            add(f"flexcomp {dim} {n}", f'<worldbody><flexcomp name="f" type="grid" dim="{dim}" count="{counts}" spacing=".1 .1 .1"/></worldbody>')
        add(f"hfield {n}", f'<asset><hfield name="h" nrow="{side}" ncol="{side}" size="1 1 1 1"/></asset>')
        add(f"texture {n}", f'<asset><texture name="t" type="2d" builtin="flat" width="{side}" height="{side}"/></asset>')
        add(f"textures {n}", "<asset>" + _repeat('<texture type="2d" builtin="flat" width="2000" height="2000"/>', min(n, 200)) + "</asset>")
        add(f"sphere {n}", f'<asset><mesh name="m" builtin="sphere" params="{n}"/></asset>')
        for size in ("nuserdata", "nkey", "nuser_body", "nuser_geom", "njmax", "nconmax"):
            add(f"{size} {n}", f'<size {size}="{n}"/><worldbody>{body}</worldbody>')
        add(f"memory {n}", f'<size memory="{n}M"/><worldbody>{body}</worldbody>')
        add(f"classes {n}", "<default>" + "".join(f'<default class="c{i}"/>' for i in range(min(n, 20_000))) + "</default>")
        add(f"nested classes {n}", "<default>" + "".join(f'<default class="c{i}">' for i in range(min(n, 20_000))) + "</default>" * min(n, 20_000) + "</default>")
        for joint in ("", '<joint type="ball"/>', '<joint/>'):
            add(f"chain of {joint or 'nothing'} {n}", _chain(n, joint))
        add(f"keys {n}", f"<worldbody>{body}</worldbody><keyframe>{_repeat('<key/>', n)}</keyframe>")
        add(f"sensors {n}", f'<worldbody>{body}</worldbody><sensor>{_repeat("<clock/>", n)}</sensor>')
        add(f"tendon {n}", '<worldbody><body><joint name="j"/><geom size="1"/></body></worldbody><tendon><fixed>'
            + _repeat('<joint joint="j" coef="1"/>', n) + "</fixed></tendon>")
        add(f"one attribute {n}", f'<worldbody><geom size="{_repeat("1 ", n)}"/></worldbody>')
        add(f"name {n}", f'<worldbody><geom size="1" name="{_repeat("n", n)}"/></worldbody>')
        add(f"numeric {n}", f'<custom><numeric name="n" size="{n}"/></custom>')
        add(f"history {n}", '<worldbody><body><joint name="j"/><geom size="1"/></body></worldbody><actuator>'
            f'<motor joint="j" delay="1" nsample="{n}"/></actuator>')
        add(f"lengthrange {n}", f'<compiler><lengthrange mode="all" inttotal="{n}" timestep="1e-6"/></compiler><worldbody><body>'
            '<joint name="j"/><geom size="1"/></body></worldbody><actuator><motor joint="j"/></actuator>')
        add(f"unknown {n}", _repeat("<nothing/>\n", n))
        add(f"attach {n}", _repeat('<asset><model name="m" file="nowhere.xml"/></asset>', n))
        depth = min(n, 20_000)
        add(f"frames {n}", f'<worldbody>{"<frame>" * depth}{geom}{"</frame>" * depth}</worldbody>')
        two = '<worldbody><body name="a"><freejoint/><geom name="a" size="1"/></body><body name="b"><geom name="b" size="1"/></body></worldbody>'
        add(f"pairs {n}", two + f'<contact>{_repeat("""<pair geom1="a" geom2="b"/>""", n)}</contact>')
        add(f"excludes {n}", two + f'<contact>{_repeat("""<exclude body1="a" body2="b"/>""", n)}</contact>')
        add(f"equalities {n}", two + f'<equality>{_repeat("""<weld body1="a" body2="b"/>""", n)}</equality>')
        add(f"tuple {n}", two + f'<custom><tuple name="t">{_repeat("""<element objtype="body" objname="a"/>""", n)}</tuple></custom>')
        add(f"path of a tendon {n}", '<worldbody><site name="s"/><site name="r" pos="1 0 0"/></worldbody><tendon><spatial>'
            + _repeat('<site site="s"/><site site="r"/>', n) + "</spatial></tendon>")
        for detail in (2, 4):
            add(f"signed distances of {detail} {n}", f'<asset><mesh name="m" builtin="sphere" params="{detail}" scale="{n} {n} {1 / n}"/></asset>'
                '<worldbody><geom type="sdf" mesh="m"/></worldbody>')
    return found


def run(options, deadline: float) -> Result:
    engine = Engine()
    known = models()
    candidates = known[:options.count] if options.count else known

    def work(candidate):
        name, xml = candidate
        process = os.fork()  # one each: memory of earlier ones must not count
        if process == 0:
            resource.setrlimit(resource.RLIMIT_DATA, (BYTES, BYTES))
            engine.library.sinew_setLoadLimits(ctypes.c_double(0), ctypes.c_double(20 * SECONDS))
            files = Files(engine, model_dot_xml=xml.encode())
            model, text = files.load("model.xml")
            bad = not model and (not text or "bad_alloc" in text or "model.xml:" not in text)
            if bad:
                keep("hostile", f"<!-- {name}: {text} -->{xml[:100_000]}".encode())
            os._exit(1 if bad else 10 if model else 0)
        _, status, usage = os.wait4(process, 0)
        seconds, megabytes = usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024
        what = ""
        if os.WIFSIGNALED(status):
            what = children.describe(status)
        elif os.WEXITSTATUS(status) == 1:
            what = "its error says neither where nor why"
        elif seconds > SECONDS:
            what = f"took {seconds:.1f} s"
        return {"what": what, "loaded": status == 10 << 8, "seconds": seconds, "megabytes": megabytes}

    answers, ends, tried = children.run("hostile", candidates, work, limit=120, deadline=deadline)
    findings = [f"{candidates[index][0]}: {answer['what']}" for index, answer in answers if answer["what"]]
    findings += [f"{candidates[index][0]}: {what}" for index, what in ends]
    figures = {"loaded": sum(answer["loaded"] for _, answer in answers),
               "s for the slowest": round(max((answer["seconds"] for _, answer in answers), default=0), 2),
               "MB for the largest": round(max((answer["megabytes"] for _, answer in answers), default=0))}
    return Result("hostile", tried, figures, findings)
