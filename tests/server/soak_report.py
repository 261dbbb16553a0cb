"""What a soak has shown: tables for bench/RESULTS.md, and whether something grew that should not."""
import statistics

from soak_honest import KINDS

PHASES = {"calm": "honest people alone", "attack": "under attack", "lull": "between attacks"}
POINTS_MIN = 20  # samples; fewer say nothing
# What may grow by so much in the part that is judged: in its own unit, or as a part of its level, whichever is more.
FLAT = {"rss": (8.0, 0.10), "fds": (30, 0.10), "close_wait": (5, 0.0)}


def slope(points):
    """Theil and Sen: the median of all slopes between two points, which a few odd ones cannot move."""
    slopes = [(value - before) / (at - then) for index, (at, value) in enumerate(points)
              for then, before in points[:index] if at > then]
    return statistics.median(slopes) if slopes else 0.0


def growth(samples, figure):
    """(growth over the part that is judged, what is allowed) of the samples of one life of the server: the first
    quarter is for warming up."""
    points = [(sample["at"], sample[figure]) for sample in samples]
    points = points[len(points) // 4:]
    points = points[::max(1, len(points) // 400)]
    if len(points) < POINTS_MIN:
        return None
    grown = slope(points) * (points[-1][0] - points[0][0])
    least, part = FLAT[figure]
    return grown, max(least, part * statistics.median(value for _, value in points))


def longest_life(samples):
    """The samples of the life of the server that has most of them."""
    lives = {}
    for sample in samples:
        lives.setdefault(sample["life"], []).append(sample)
    return max(lives.values(), key=len)


def judge(samples):
    """{figure: (growth, allowed)} for those that can be judged."""
    judged = {figure: growth(longest_life(samples), figure) for figure in FLAT}
    return {figure: result for figure, result in judged.items() if result}


# --- tables -----------------------------------------------------------------------------------------------------------


def milliseconds(value):
    return f"{value:.1f}" if value < 100 else f"{value:,.0f}"


def times_table(honest):
    lines = ["| what people wait for, ms | phase | count | p50 | p99 | longest |", "|---|---|---|---|---|---|"]
    for kind in KINDS:
        for phase, words in PHASES.items():
            one = honest["kinds"].get(phase, {}).get(kind)
            if one:
                lines.append(f"| {kind} | {words} | {one['n']:,} | {milliseconds(one['p50'])} | "
                             f"{milliseconds(one['p99'])} | {milliseconds(one['max'])} |")
    return lines


def level_of(samples, figure, begin, end):
    """The median of a tenth of the samples."""
    part = samples[int(begin * len(samples)):max(int(end * len(samples)), int(begin * len(samples)) + 1)]
    values = [sample[figure] for sample in part if sample.get(figure) is not None]
    return statistics.median(values) if values else None


FIGURES = {"rss": ("memory, MiB", "{:.1f}"), "fds": ("open files", "{:.0f}"), "close_wait": ("in CLOSE-WAIT", "{:.0f}"),
           "processor": ("processor, % of one core", "{:.0f}"), "database": ("database, MiB", "{:.1f}"),
           "wal": ("its log, MiB", "{:.1f}"), "gral_tables": ("tables in memory", "{:.0f}"),
           "gral_games_running": ("games running", "{:.0f}"), "gral_thinking_waiting": ("decisions waiting", "{:.0f}")}


def server_table(samples, judged):
    lines = ["| the server | beginning | middle | end | most | flat |", "|---|---|---|---|---|---|"]
    for figure, (title, form) in FIGURES.items():
        values = [sample[figure] for sample in samples if sample.get(figure) is not None]
        if not values:
            continue
        levels = [level_of(samples, figure, begin, end) for begin, end in ((0, 0.1), (0.45, 0.55), (0.9, 1))]
        shown = " | ".join(form.format(value) if value is not None else "" for value in [*levels, max(values)])
        flat = "not judged" if figure in FLAT else ""
        if figure in judged:
            grown, allowed = judged[figure]
            flat = f"{'yes' if grown <= allowed else '**no**'}: {grown:+.1f} of {allowed:.1f} allowed"
        lines.append(f"| {title} | {shown} | {flat} |")
    return lines


def attacks_table(hostile):
    lines = ["| attack | bursts |", "|---|---|"]
    lines += [f"| {name.replace('_', ' ')} | {count:,} |" for name, count in sorted(hostile["bursts"].items())]
    return lines


def minutes_table(honest):
    lines = ["| minute | answers | p50 | p99 | longest |", "|---|---|---|---|---|"]
    for minute, one in sorted(honest["minutes"].items(), key=lambda item: int(item[0])):
        lines.append(f"| {int(minute) + 1} | {one['n']:,} | {milliseconds(one['p50'])} | {milliseconds(one['p99'])} | "
                     f"{milliseconds(one['max'])} |")
    return lines


def counts_line(counts):
    return ", ".join(f"{name} {count:,}" for name, count in sorted(counts.items())) or "none"


def whole(soak):
    """The report in Markdown."""
    honest, hostile = soak.honest.report, soak.hostile.report
    lines = [f"`{soak.command}`, {soak.day}", ""]
    for part in (times_table(honest), server_table(soak.samples, soak.judged), attacks_table(hostile),
                 minutes_table(honest)):
        lines += part + [""]
    lines.append(f"Honest: {counts_line(honest['counts'])}.")
    lines.append(f"Hostile: {counts_line(hostile['tally'])}.")
    lines.append("")
    lines += [f"- {fault}" for fault in soak.faults] or ["No answered action or remark was lost, nobody was shut out."]
    if not soak.judged:
        lines.append("- Too short to say whether memory and open files stay flat.")
    return "\n".join(lines)
