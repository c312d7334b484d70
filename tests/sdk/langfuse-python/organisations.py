"""Projects, keys, members and connections through the generated part of the released SDK.

Configured by LANGFUSE_HOST, and by LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY of an organisation.
"""

import os

from langfuse.api import LlmAdapter, MembershipRole, ScimName
from langfuse.api.client import LangfuseAPI
from langfuse.api.core.api_error import ApiError


def client(public_key, secret_key):
    return LangfuseAPI(
        base_url=os.environ["LANGFUSE_HOST"], username=public_key, password=secret_key
    )


def refused(status, call, *args, **kwargs):
    try:
        call(*args, **kwargs)
    except ApiError as error:
        assert error.status_code == status, error
    else:
        raise AssertionError(f"{call} was not refused")


organisation = client(os.environ["LANGFUSE_PUBLIC_KEY"], os.environ["LANGFUSE_SECRET_KEY"])

# A project, with a key.
project = organisation.projects.create(name="from the sdk", retention=0, metadata={"a": 1})
assert project.metadata == {"a": 1}, project
renamed = organisation.projects.update(project.id, name="renamed", retention=7)
assert renamed.name == "renamed" and renamed.retention_days == 7, renamed
listed = organisation.organizations.get_organization_projects().projects
assert project.id in [one.id for one in listed], listed
key = organisation.projects.create_api_key(project.id, note="of the sdk")
keys = organisation.projects.get_api_keys(project.id).api_keys
assert [one.public_key for one in keys] == [key.public_key], keys
assert organisation.organizations.get_organization_api_keys().api_keys
refused(403, organisation.projects.get)

# What the key opens.
inside = client(key.public_key, key.secret_key)
assert inside.projects.get().data[0].id == project.id
connection = inside.llm_connections.upsert(
    provider="gateway", adapter=LlmAdapter.OPEN_AI, secret_key="sk-0123456789abcdef"
)
assert connection.display_secret_key == "...cdef", connection
assert inside.llm_connections.list().data[0].id == connection.id
assert inside.llm_connections.delete(connection.id).message
refused(403, inside.organizations.get_organization_projects)

# Members.
scim = organisation.scim
assert scim.get_service_provider_config().filter.supported
assert scim.get_resource_types().resources[0].endpoint == "/Users"
assert scim.get_schemas().resources[0].name == "User"
email = f"{project.id}@example.org"
user = scim.create_user(user_name=email, name=ScimName(formatted="Ada"))
assert scim.get_user(user.id).user_name == email
found = scim.list_users(filter=f'userName eq "{email}"')
assert found.total_results == 1 and found.resources[0].id == user.id, found
members = organisation.organizations
member = members.update_organization_membership(user_id=user.id, role=MembershipRole.MEMBER)
assert member.email == email and member.name == "Ada", member
set_ = members.update_project_membership(project.id, user_id=user.id, role=MembershipRole.ADMIN)
assert set_.role == MembershipRole.ADMIN, set_
assert len(members.get_project_memberships(project.id).memberships) == 1
assert members.delete_project_membership(project.id, user_id=user.id).user_id == user.id
assert user.id in [one.user_id for one in members.get_organization_memberships().memberships]
scim.delete_user(user.id)
refused(404, scim.get_user, user.id)
assert members.delete_organization_membership(user_id=user.id).user_id == user.id

# The end.
assert organisation.projects.delete_api_key(project.id, key.id).success
refused(401, inside.projects.get)
assert organisation.projects.delete(project.id).success
refused(404, organisation.projects.delete, project.id)
