"""The memory repository: markdown in git, read at commits, written one durable commit at a time.

`Repository` reads and commits; a learner writes in a `Draft`, whose frozen bytes pass `check` and then `land`.
"""

from vademecum.memfs import operations
from vademecum.memfs.audits.audit import audit_tree, audit_work_tree
from vademecum.memfs.audits.integrity import inspect_repository, truncated_objects
from vademecum.memfs.commits.meant import (
    Lines,
    find_meant,
    near_ones,
    require_file,
    require_files,
    require_meant,
    split_lines,
)
from vademecum.memfs.commits.tree import OWN_FOLDER, Tree
from vademecum.memfs.forgetting.forget import commit_forgetting
from vademecum.memfs.forgetting.remains import Find, Finder, Looked, look_in_files, look_in_objects, look_in_text
from vademecum.memfs.forgetting.scrub import (
    SCRUBBED,
    Scrub,
    finish_scrub,
    scrub_history,
    unfinished,
)
from vademecum.memfs.forgetting.trash import Trash, empty_trash, has_begun_anew, is_of_a_reset, list_trash, put_in_trash
from vademecum.memfs.git.command import git_version
from vademecum.memfs.hand_commits.check import staged_problems
from vademecum.memfs.history.blame import BlamedLine, blame, said_before
from vademecum.memfs.history.diffs import DiffLine, FileDiff, Hunk, LineKind, diff_edits, diff_trees
from vademecum.memfs.history.former import Former, paths_ever
from vademecum.memfs.history.show import Shown, show
from vademecum.memfs.history.undo import Merge, UndoPlan, plan_undo, undo
from vademecum.memfs.history.undo_targets import find_undoable
from vademecum.memfs.landing.attempts import again_when_moved
from vademecum.memfs.landing.checks import Check, Violation, check
from vademecum.memfs.landing.drafts import Draft, Frozen, clear_drafts, delete_draft, runs_drafting
from vademecum.memfs.landing.land import Landing, LandingStatus, land, propose
from vademecum.memfs.landing.merging import Merged
from vademecum.memfs.landing.proposals import (
    Accepted,
    Proposal,
    accept_proposal,
    accepted_before,
    accepted_runs,
    find_proposal,
    preview_proposal,
    take_from_proposal,
    waiting_proposals,
)
from vademecum.memfs.messages import without_trailers
from vademecum.memfs.operations import MAX_READ_BYTES, Edited, EditRules, Listing, Operation, Reading
from vademecum.memfs.pages import front_matter
from vademecum.memfs.pages.files import Files
from vademecum.memfs.pages.homes import misspelling, plain_spelling
from vademecum.memfs.pages.links import links_in
from vademecum.memfs.pages.masking import ALLOW_FIELD, shown, shown_commit, with_shown_names
from vademecum.memfs.pages.paths import is_root, is_valid, refuse_folder, relative, validate
from vademecum.memfs.pages.rules import belongs_to_person, is_block, masked_name
from vademecum.memfs.pages.unseen import is_never_shown, shown_unseen
from vademecum.memfs.records import Change, ChangeKind, Commit, Provenance, Writer
from vademecum.memfs.repository import Clock, Repository
from vademecum.memfs.writing.adoption import Adoption, WorkTreeEdits

__all__ = [
    "ALLOW_FIELD",
    "MAX_READ_BYTES",
    "OWN_FOLDER",
    "SCRUBBED",
    "Accepted",
    "Adoption",
    "BlamedLine",
    "Change",
    "ChangeKind",
    "Check",
    "Clock",
    "Commit",
    "DiffLine",
    "Draft",
    "EditRules",
    "Edited",
    "FileDiff",
    "Files",
    "Find",
    "Finder",
    "Former",
    "Frozen",
    "Hunk",
    "Landing",
    "LandingStatus",
    "LineKind",
    "Lines",
    "Listing",
    "Looked",
    "Merge",
    "Merged",
    "Operation",
    "Proposal",
    "Provenance",
    "Reading",
    "Repository",
    "Scrub",
    "Shown",
    "Trash",
    "Tree",
    "UndoPlan",
    "Violation",
    "WorkTreeEdits",
    "Writer",
    "accept_proposal",
    "accepted_before",
    "accepted_runs",
    "again_when_moved",
    "audit_tree",
    "audit_work_tree",
    "belongs_to_person",
    "blame",
    "check",
    "clear_drafts",
    "commit_forgetting",
    "delete_draft",
    "diff_edits",
    "diff_trees",
    "empty_trash",
    "find_meant",
    "find_proposal",
    "find_undoable",
    "finish_scrub",
    "front_matter",
    "git_version",
    "has_begun_anew",
    "inspect_repository",
    "is_block",
    "is_never_shown",
    "is_of_a_reset",
    "is_root",
    "is_valid",
    "land",
    "links_in",
    "list_trash",
    "look_in_files",
    "look_in_objects",
    "look_in_text",
    "masked_name",
    "misspelling",
    "near_ones",
    "operations",
    "paths_ever",
    "plain_spelling",
    "plan_undo",
    "preview_proposal",
    "propose",
    "put_in_trash",
    "refuse_folder",
    "relative",
    "require_file",
    "require_files",
    "require_meant",
    "runs_drafting",
    "said_before",
    "scrub_history",
    "show",
    "shown",
    "shown_commit",
    "shown_unseen",
    "split_lines",
    "staged_problems",
    "take_from_proposal",
    "truncated_objects",
    "undo",
    "unfinished",
    "validate",
    "waiting_proposals",
    "with_shown_names",
    "without_trailers",
]
