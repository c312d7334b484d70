//! Haystack.

keys! {
    COMPONENT_TYPE = "haystack.component.type",
    COMPONENT_INPUT = "haystack.component.input",
    COMPONENT_OUTPUT = "haystack.component.output",
    PIPELINE_INPUT_DATA = "haystack.pipeline.input_data",
    PIPELINE_OUTPUT_DATA = "haystack.pipeline.output_data",
    TOOL_NAME = "haystack.tool.name",
    AGENT_INPUT = "haystack.agent.input",
    AGENT_OUTPUT = "haystack.agent.output",
}
