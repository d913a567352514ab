"""The evaluation stories: what people say over several sessions, and what memory should make of it.

`tales` are the stories, `phrases/*.toml` their words; `telling` makes sessions and expectations of both, `running`
drives the product, `judging` compares. Nothing here may be imported by the tests of the learner's rules: the stories
measure those rules blind.
"""
