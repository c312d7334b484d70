"""A chain of LangChain with the callback handler of Langfuse's SDK; the model is a fake one.

Configured by LANGFUSE_BASE_URL, LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY alone.
"""

from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.runnables import RunnableLambda
from langchain_core.tools import tool
from langfuse import Langfuse
from langfuse.langchain import CallbackHandler

import reading


class Model(GenericFakeChatModel):
    """One that says which model it is, as those of providers do."""

    model_name: str = "gpt-4o-mini"

    @property
    def _identifying_params(self):
        return {"model_name": self.model_name, "temperature": 0.5}


@tool
def weather(city: str) -> str:
    """The weather of a city."""
    return "rain in " + city


langfuse = Langfuse()
answer = AIMessage(
    content="Take an umbrella.",
    usage_metadata={
        "input_tokens": 100,
        "output_tokens": 20,
        "total_tokens": 120,
        "input_token_details": {"cache_read": 40},
    },
    response_metadata={"model_name": "gpt-4o-mini"},
)
prompt = ChatPromptTemplate.from_messages([("system", "Be brief."), ("user", "{weather}")])
model = Model(messages=iter([answer]))
chain = RunnableLambda(lambda city: {"weather": weather.invoke({"city": city})}) | prompt | model
chain = (chain | StrOutputParser()).with_config(run_name="advise")
said = chain.invoke(
    "Bern",
    config={
        "callbacks": [CallbackHandler()],
        "metadata": {
            "langfuse_user_id": "u",
            "langfuse_session_id": "s",
            "langfuse_tags": ["a", "b"],
        },
    },
)
assert said == "Take an umbrella."
langfuse.flush()

trace = reading.trace(6)
assert trace["name"] == "advise", trace
assert (trace["userId"], trace["sessionId"]) == ("u", "s"), trace
assert trace["tags"] == ["a", "b"], trace
assert (trace["input"], trace["output"]) == ("Bern", "Take an umbrella."), trace

root = reading.named(trace, "advise")
assert (root["type"], root["parentObservationId"]) == ("CHAIN", None), root
call = reading.named(trace, "Model")
assert (call["type"], call["parentObservationId"]) == ("GENERATION", root["id"]), call
assert call["model"] == "gpt-4o-mini", call
roles = [message["role"] for message in call["input"]]
assert roles == ["system", "user"], call["input"]
assert call["input"][1]["content"] == "rain in Bern", call["input"]
assert call["output"]["content"] == "Take an umbrella.", call["output"]
usage = call["usageDetails"]
assert (usage["output"], usage["total"]) == (20, 120), usage
assert call["usage"]["input"] == 100, call["usage"]
assert call["calculatedTotalCost"] > 0, call
assert trace["totalCost"] == call["calculatedTotalCost"], trace
used = reading.named(trace, "weather")
assert used["type"] == "TOOL", used
assert used["output"] == "rain in Bern", used
