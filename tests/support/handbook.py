"""The handbook as tests look at it."""

from vademecum.artifacts import parse_handbook


def group_preferences(text, project):
    """The preferences that the handbook holds for one project (empty: for every project), in file order."""
    return [bullet for group in parse_handbook(text) if group.project == project for bullet in group.preferences]
