"""Positions of Seega 9×9 with more moves than can be listed: chains of captures by the million."""

from __future__ import annotations

OPTIONS = {"size": 9}
BOARD = "w.w.bwb.w/wbb.bwb.w/wwb..bw.b/wb..bwb.w/bwb.wwb../........b/.wbbb.bbw/bbwwwbwwb/w.wb.wb.."
MANY = f"{BOARD} turn=0 phase=2 duty=0"
# Black has eleven moves here, and after this one White has more than can be counted.
BEFORE_MANY = f"{BOARD} turn=1 phase=2 duty=0"
LEADS_TO_MANY = "a2xa3"
