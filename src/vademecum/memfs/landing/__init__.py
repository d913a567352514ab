"""From a learner's draft to a commit: checked, frozen, merged onto what main holds now, or kept as a proposal."""
