"""A person's yes, asked for in both ways that clients know."""

import threading

import pytest

from vademecum.mcp.calls import Call
from vademecum.mcp.confirming import Asking, InputRequired, Seals
from vademecum.mcp.messages import Response

YES = {"action": "accept", "content": {"confirm": True}}
NO = [
    None,
    {},
    {"action": "decline"},
    {"action": "cancel"},
    {"action": "accept"},
    {"action": "accept", "content": None},
    {"action": "accept", "content": {"confirm": False}},
    {"action": "accept", "content": {"confirm": "true"}},
    {"action": "accept", "content": {"other": True}},
    {"action": "decline", "content": {"confirm": True}},
]
SECONDS = 3


class Client:
    """Keeps what it is sent, and answers each question with what it was told to; None: never."""

    def __init__(self, answer=None, seconds=SECONDS):
        self.sent = []
        self.answer = answer
        self.asked = threading.Event()
        self.asking = Asking(self.take, seconds=seconds)

    def take(self, message):
        self.sent.append(message)
        if "id" in message:
            self.asked.set()
            if self.answer is not None:
                self.asking.take(Response(id=message["id"], result=self.answer))


def a_call(identifier=1):
    return Call(identifier, lambda _: None)


class TestAsked:
    """Clients of a handshake get a request, and the call waits."""

    def test_the_question_goes_to_the_person_as_it_is(self):
        client = Client(YES)
        assert client.asking.ask(a_call(), "Reset all?")
        (message,) = client.sent
        assert (message["method"], message["params"]["message"]) == ("elicitation/create", "Reset all?")
        assert message["params"]["requestedSchema"]["required"] == ["confirm"]

    @pytest.mark.parametrize("answer", NO[1:], ids=str)
    def test_anything_but_an_accepted_and_ticked_form_is_a_no(self, answer):
        assert not Client(answer).asking.ask(a_call(), "Reset all?")

    def test_no_answer_in_time_is_a_no_and_the_question_is_withdrawn(self):
        client = Client(seconds=0.01)
        assert not client.asking.ask(a_call(), "Reset all?")
        question, withdrawn = client.sent
        assert withdrawn["method"] == "notifications/cancelled"
        assert withdrawn["params"]["requestId"] == question["id"]

    def test_an_answer_that_comes_too_late_counts_for_nothing(self):
        client = Client(seconds=0.01)
        client.asking.ask(a_call(), "Reset all?")
        client.asking.take(Response(id=client.sent[0]["id"], result=YES))
        assert not client.asking.ask(a_call(), "Reset all?")

    def test_every_question_has_an_id_of_its_own_and_only_its_own_answer_counts(self):
        client = Client()
        answers = {}
        threads = [
            threading.Thread(target=lambda n=n: answers.update({n: client.asking.ask(a_call(n), f"{n}?")}))
            for n in range(2)
        ]
        for thread in threads:
            client.asked.clear()
            thread.start()
            assert client.asked.wait(SECONDS)
        ids = {message["params"]["message"]: message["id"] for message in client.sent}
        client.asking.take(Response(id=ids["1?"], result=YES))
        client.asking.take(Response(id="of-nobody", result=YES))
        client.asking.take(Response(id=ids["0?"], result={"action": "decline"}))
        for thread in threads:
            thread.join(SECONDS)
        assert answers == {0: False, 1: True}

    def ended_by(self, how):
        client, call = Client(), a_call()
        answers = []
        thread = threading.Thread(target=lambda: answers.append(client.asking.ask(call, "Reset all?")))
        thread.start()
        assert client.asked.wait(SECONDS)
        how(client, call)
        thread.join(SECONDS)
        return answers, client

    def test_a_call_that_is_cancelled_lets_go_and_takes_no_yes(self):
        def cancel(client, call):
            call.cancel()
            client.asking.take(Response(id=client.sent[0]["id"], result=YES))

        assert self.ended_by(cancel)[0] == [False]

    def test_the_questions_of_a_cancelled_call_are_withdrawn(self):
        answers, client = self.ended_by(lambda client, call: client.asking.forget(call))
        assert answers == [False]
        assert client.sent[1]["method"] == "notifications/cancelled"

    def test_a_closed_connection_is_a_no_now_and_later(self):
        answers, client = self.ended_by(lambda client, _: client.asking.close())
        assert answers == [False]
        assert not client.asking.ask(a_call(), "Reset all?")
        assert len(client.sent) == 1


PARAMS = {"name": "memory_reset", "arguments": {"what": "all"}}


class TestSealed:
    """Modern clients are told what is open, and call again."""

    @pytest.fixture
    def seals(self):
        return Seals(seconds=60)

    def open_question(self, seals, question="Reset all?", params=PARAMS):
        with pytest.raises(InputRequired) as caught:
            seals.confirm(params, question)
        return caught.value.result

    def again(self, opened, answer=YES, **changes):
        responses = dict.fromkeys(opened["inputRequests"], answer)
        return {**PARAMS, "inputResponses": responses, "requestState": opened["requestState"], **changes}

    def test_the_client_learns_what_to_ask(self, seals):
        opened = self.open_question(seals)
        (question,) = opened["inputRequests"].values()
        assert opened["resultType"] == "input_required"
        assert (question["method"], question["params"]["message"]) == ("elicitation/create", "Reset all?")

    def test_the_second_call_brings_the_answer(self, seals):
        assert seals.confirm(self.again(self.open_question(seals)), "Reset all?")

    @pytest.mark.parametrize("answer", NO, ids=str)
    def test_anything_but_an_accepted_and_ticked_form_is_a_no(self, seals, answer):
        assert not seals.confirm(self.again(self.open_question(seals), answer), "Reset all?")

    def test_a_yes_counts_once(self, seals):
        params = self.again(self.open_question(seals))
        assert seals.confirm(params, "Reset all?")
        self.open_question(seals, params=params)

    @pytest.mark.parametrize(
        "changes",
        [
            {"name": "memory_forget"},
            {"arguments": {"what": "more"}},
            {"requestState": None},
            {"requestState": ""},
            {"requestState": "9999999999.00.AAAA"},
            {"requestState": "ü.x"},
            {"requestState": "x" * 10_000},
            {"inputResponses": {}},
            {"inputResponses": None},
            {"inputResponses": {"other": YES}},
        ],
        ids=str,
    )
    def test_a_yes_to_something_else_is_asked_for_again(self, seals, changes):
        self.open_question(seals, params=self.again(self.open_question(seals), **changes))

    def test_a_yes_to_another_question_is_none_to_this_one(self, seals):
        params = self.again(self.open_question(seals, "Reset one page?"))
        self.open_question(seals, "Reset all?", params=params)

    def test_a_changed_time_breaks_the_seal(self, seals):
        opened = self.open_question(seals)
        time, rest = opened["requestState"].split(".", 1)
        forged = {"requestState": f"{int(time) + 1_000}.{rest}"}
        self.open_question(seals, params=self.again(opened, **forged))

    def test_a_yes_that_comes_too_late_is_asked_for_again(self):
        seals = Seals(seconds=-5)
        self.open_question(seals, params=self.again(self.open_question(seals)))

    def test_another_process_takes_no_yes_of_this_one(self, seals):
        params = self.again(self.open_question(seals))
        self.open_question(Seals(seconds=60), params=params)
