"""Uses a cluster with the official Python client, step by step.

Prints a line of JSON for each step: the result of the client, or its failure. python.nightly.test.ts starts this
program and has the expected results. A step may ask the test to change the server; it then waits for a line.
"""

import json
import socket
import sys
import threading
import traceback
from http.client import HTTPConnection

from kubernetes import client, config, dynamic, watch
from kubernetes.client.rest import ApiException
from kubernetes.dynamic.exceptions import ConflictError, NotFoundError
from kubernetes.stream import portforward, stream

NAMESPACE = "default"
LABELS = {"app": "web"}

# The time without data after which a stream fails its step.
PATIENCE_S = 60

config.load_kube_config()
api = client.ApiClient()
core = client.CoreV1Api()
apps = client.AppsV1Api()
batch = client.BatchV1Api()
policy = client.PolicyV1Api()
rbac = client.RbacAuthorizationV1Api()
dyn = dynamic.DynamicClient(api)

STEPS = []
printing = threading.Lock()


def step(function):
    STEPS.append(function)
    return function


def say(line):
    with printing:
        print(json.dumps(line), flush=True)


def ask(what):
    """Asks the test to change the server, and waits until that is done."""
    say({"ask": what})
    sys.stdin.readline()


def config_map(name, **data):
    return client.V1ConfigMap(metadata=client.V1ObjectMeta(name=name), data=data)


def container(image, command=None):
    return client.V1Container(name="main", image=image, command=command)


def pod(name, image, command=None, labels=None):
    return client.V1Pod(
        metadata=client.V1ObjectMeta(name=name, labels=labels),
        spec=client.V1PodSpec(
            containers=[container(image, command)],
            restart_policy="Never",
            termination_grace_period_seconds=0,
        ),
    )


def deployment(name, replicas):
    labels = {"app": name}
    template = client.V1PodTemplateSpec(
        metadata=client.V1ObjectMeta(labels=labels),
        spec=client.V1PodSpec(containers=[container("nginx:1.25")]),
    )
    return client.V1Deployment(
        metadata=client.V1ObjectMeta(name=name),
        spec=client.V1DeploymentSpec(
            replicas=replicas,
            selector=client.V1LabelSelector(match_labels=labels),
            template=template,
        ),
    )


def until(list_function, holds, **selecting):
    """Watches until `holds` returns true, and returns that object."""
    watching = watch.Watch()
    for event in watching.stream(list_function, NAMESPACE, _request_timeout=PATIENCE_S, **selecting):
        if holds(event["type"], event["object"]):
            watching.stop()
            return event["object"]
    raise AssertionError("the watch has ended")


def until_ready(name):
    def is_ready(_, seen):
        return any(c.type == "Ready" and c.status == "True" for c in seen.status.conditions or [])

    return until(core.list_namespaced_pod, is_ready, field_selector="metadata.name=" + name)


def failure(call, *args, **kwargs):
    """Returns the error of a rejected call, as the client reports the Status."""
    try:
        call(*args, **kwargs)
    except ApiException as error:
        body = json.loads(error.body)
        said = {"status": error.status, "reason": error.reason, "body": body["reason"]}
        causes = [cause["field"] for cause in body.get("details", {}).get("causes", []) if "field" in cause]
        return {**said, "fields": causes} if causes else said
    raise AssertionError("the request was not rejected")


# Typed


@step
def typed_crud():
    core.create_namespaced_config_map(NAMESPACE, config_map("crud", a="1"))
    read = core.read_namespaced_config_map("crud", NAMESPACE)
    read.data["b"] = "2"
    replaced = core.replace_namespaced_config_map("crud", NAMESPACE, read)
    deleted = core.delete_namespaced_config_map("crud", NAMESPACE)
    listed = core.list_namespaced_config_map(NAMESPACE, field_selector="metadata.name=crud")
    return [replaced.data, deleted.status, len(listed.items)]


@step
def typed_kinds():
    """Creates, reads and deletes an object of each kind. The client returns it as the type that it sent."""
    meta = client.V1ObjectMeta(name="kinds")
    template = client.V1PodTemplateSpec(
        metadata=client.V1ObjectMeta(labels=LABELS),
        spec=client.V1PodSpec(containers=[container("nginx:1.25")], restart_policy="Never"),
    )
    ports = [client.V1ServicePort(port=80)]
    role = client.V1Role(metadata=meta, rules=[client.V1PolicyRule(api_groups=[""], resources=["pods"], verbs=["get"])])
    budget = client.V1PodDisruptionBudgetSpec(
        min_available="50%", selector=client.V1LabelSelector(match_labels=LABELS)
    )
    kinds = [
        (core, "secret", client.V1Secret(metadata=meta, string_data={"a": "b"})),
        (core, "service", client.V1Service(metadata=meta, spec=client.V1ServiceSpec(ports=ports))),
        (core, "service_account", client.V1ServiceAccount(metadata=meta)),
        (batch, "job", client.V1Job(metadata=meta, spec=client.V1JobSpec(suspend=True, template=template))),
        (policy, "pod_disruption_budget", client.V1PodDisruptionBudget(metadata=meta, spec=budget)),
        (rbac, "role", role),
    ]
    seen = []
    for group, kind, body in kinds:
        created = getattr(group, "create_namespaced_" + kind)(NAMESPACE, body)
        read = getattr(group, "read_namespaced_" + kind)("kinds", NAMESPACE)
        assert read.metadata.uid == created.metadata.uid
        getattr(group, "delete_namespaced_" + kind)("kinds", NAMESPACE)
        seen.append(type(read).__name__)
    return seen


@step
def cluster_scoped():
    core.create_namespace(client.V1Namespace(metadata=client.V1ObjectMeta(name="python")))
    nodes = sorted(node.metadata.name for node in core.list_node().items)
    phase = core.read_namespace("python").status.phase
    core.delete_namespace("python")
    return [nodes, phase]


@step
def errors():
    core.create_namespaced_config_map(NAMESPACE, config_map("taken"))
    stale = core.read_namespaced_config_map("taken", NAMESPACE)
    core.patch_namespaced_config_map("taken", NAMESPACE, {"data": {"a": "1"}})
    invalid = {"metadata": {"name": "No_Name"}, "spec": {"containers": []}}
    return {
        "not found": failure(core.read_namespaced_pod, "none", NAMESPACE),
        "exists": failure(core.create_namespaced_config_map, NAMESPACE, config_map("taken")),
        "conflict": failure(core.replace_namespaced_config_map, "taken", NAMESPACE, stale),
        "invalid": failure(core.create_namespaced_pod, NAMESPACE, invalid),
        "bad request": failure(core.create_namespaced_config_map, NAMESPACE, {"data": {"a": 1}}),
    }


@step
def dry_run():
    created = core.create_namespaced_config_map(NAMESPACE, config_map("dry"), dry_run="All")
    return [bool(created.metadata.uid), failure(core.read_namespaced_config_map, "dry", NAMESPACE)["status"]]


# Patches


@step
def patches():
    """This client sends a list as a JSON patch, and an object as a strategic merge patch. Others need the header."""
    apps.create_namespaced_deployment(NAMESPACE, deployment("patched", 0))

    def env():
        spec = apps.read_namespaced_deployment("patched", NAMESPACE).spec.template.spec
        return [(each.name, [one.name for one in each.env or []]) for each in spec.containers]

    def patch(body):
        apps.patch_namespaced_deployment("patched", NAMESPACE, body)
        return env()

    def merge(body):
        path = "/apis/apps/v1/namespaces/{}/deployments/patched".format(NAMESPACE)
        headers = {"Content-Type": "application/merge-patch+json", "Accept": "application/json"}
        api.call_api(path, "PATCH", body=body, header_params=headers, auth_settings=["BearerToken"])
        return env()

    def containers(*each):
        return {"spec": {"template": {"spec": {"containers": list(each)}}}}

    side = {"name": "side", "image": "busybox:1.36"}
    variable = [{"name": "A", "value": "1"}]
    at = "/spec/template/spec/containers/0/env"
    return {
        "strategic": patch(containers(side)),
        "json": patch([{"op": "add", "path": at, "value": variable}]),
        "merge": merge(containers({**side, "env": variable})),
    }


@step
def status():
    """A patch of the status does not change the spec."""
    apps.create_namespaced_deployment(NAMESPACE, deployment("reported", 0))
    condition = {"type": "Reported", "status": "True", "reason": "Tried", "message": ""}
    body = {"spec": {"replicas": 7}, "status": {"conditions": [condition]}}
    apps.patch_namespaced_deployment_status("reported", NAMESPACE, body)
    read = apps.read_namespaced_deployment_status("reported", NAMESPACE)
    return [read.spec.replicas, "Reported" in [each.type for each in read.status.conditions]]


@step
def scale():
    apps.create_namespaced_deployment(NAMESPACE, deployment("scaled", 0))
    scaled = apps.read_namespaced_deployment_scale("scaled", NAMESPACE)
    scaled.spec.replicas = 2
    apps.replace_namespaced_deployment_scale("scaled", NAMESPACE, scaled)
    replaced = apps.read_namespaced_deployment("scaled", NAMESPACE).spec.replicas
    apps.patch_namespaced_deployment_scale("scaled", NAMESPACE, {"spec": {"replicas": 0}})
    return [replaced, apps.read_namespaced_deployment("scaled", NAMESPACE).spec.replicas]


# Lists and watches


@step
def pages():
    for index in range(5):
        body = config_map("page-{}".format(index))
        body.metadata.labels = {"pages": ""}
        core.create_namespaced_config_map(NAMESPACE, body)
    seen, token = [], None
    while True:
        page = core.list_namespaced_config_map(NAMESPACE, label_selector="pages", limit=2, _continue=token)
        seen.append([[item.metadata.name for item in page.items], page.metadata.remaining_item_count])
        token = page.metadata._continue
        if not token:
            return seen


@step
def page_expired():
    """A token from before the compaction gets 410, whose Status has a token to continue with."""
    page = core.list_namespaced_config_map(NAMESPACE, label_selector="pages", limit=2)
    core.delete_namespaced_config_map("page-4", NAMESPACE)
    ask("compact")
    try:
        core.list_namespaced_config_map(NAMESPACE, label_selector="pages", limit=2, _continue=page.metadata._continue)
    except ApiException as error:
        gone = json.loads(error.body)
    rest = core.list_namespaced_config_map(
        NAMESPACE, label_selector="pages", _continue=gone["metadata"]["continue"]
    )
    return [gone["code"], gone["reason"], [item.metadata.name for item in rest.items]]


@step
def delete_collection():
    core.delete_collection_namespaced_config_map(NAMESPACE, label_selector="pages")
    return len(core.list_namespaced_config_map(NAMESPACE, label_selector="pages").items)


@step
def watches():
    """After the server has ended a watch, the client continues from the last version it received."""
    selecting = {"field_selector": "metadata.name=watched"}
    seen = []
    began = core.list_namespaced_config_map(NAMESPACE).metadata.resource_version
    core.create_namespaced_config_map(NAMESPACE, config_map("watched"))
    watching = watch.Watch()
    for event in watching.stream(
        core.list_namespaced_config_map, NAMESPACE, resource_version=began, **selecting
    ):
        seen.append(event["type"])
        if event["type"] == "ADDED":
            core.patch_namespaced_config_map("watched", NAMESPACE, {"data": {"a": "1"}})
        elif event["type"] == "MODIFIED":
            ask("end watches")
            core.delete_namespaced_config_map("watched", NAMESPACE)
        else:
            watching.stop()
    return seen


@step
def watch_expired():
    """Does what the documentation of Watch.stream recommends after 410. The client has already retried once."""
    began = core.list_namespaced_config_map(NAMESPACE).metadata.resource_version
    core.create_namespaced_config_map(NAMESPACE, config_map("after-410"))
    ask("compact")
    try:
        next(watch.Watch().stream(core.list_namespaced_config_map, NAMESPACE, resource_version=began))
    except ApiException as error:
        refused = [error.status, error.reason.split(":")[0]]
    listed = core.list_namespaced_config_map(NAMESPACE)
    again = watch.Watch().stream(
        core.list_namespaced_config_map, NAMESPACE, resource_version=listed.metadata.resource_version
    )
    core.delete_namespaced_config_map("after-410", NAMESPACE)
    event = next(again)
    return [refused, "after-410" in [item.metadata.name for item in listed.items], event["type"]]


@step
def watch_with_a_timeout():
    """The server ends the watch."""
    stream_of = watch.Watch().stream(core.list_namespaced_config_map, NAMESPACE, timeout_seconds=1)
    return all(event["type"] == "ADDED" for event in stream_of)


# The dynamic client


@step
def dynamic_crud():
    maps = dyn.resources.get(api_version="v1", kind="ConfigMap")
    body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "dynamic"}, "data": {"a": "1"}}
    maps.create(body=body, namespace=NAMESPACE)
    read = maps.get(name="dynamic", namespace=NAMESPACE)
    replaced = maps.replace(body={**read.to_dict(), "data": {"b": "2"}}, namespace=NAMESPACE)
    merged = maps.patch(
        body={"data": {"b": None, "c": "3"}},
        name="dynamic",
        namespace=NAMESPACE,
        content_type="application/merge-patch+json",
    )
    listed = maps.get(namespace=NAMESPACE, field_selector="metadata.name=dynamic")
    maps.delete(name="dynamic", namespace=NAMESPACE)
    try:
        maps.get(name="dynamic", namespace=NAMESPACE)
    except NotFoundError as error:
        gone = error.status
    data = [each.to_dict()["data"] for each in (replaced, merged)]
    return [*data, len(listed.items), gone]


@step
def dynamic_discovery():
    """Uses short names, resources by their group, and subresources."""
    deployments = dyn.resources.get(api_version="apps/v1", kind="Deployment")
    return [
        dyn.resources.get(short_names=["deploy"]).kind,
        sorted(deployments.subresources),
        dyn.version["kubernetes"]["major"],
    ]


@step
def server_side_apply():
    deployments = dyn.resources.get(api_version="apps/v1", kind="Deployment")
    body = api.sanitize_for_serialization(deployment("applied", 0))
    body.update({"apiVersion": "apps/v1", "kind": "Deployment"})

    def apply(manager, replicas, **options):
        applied = {**body, "spec": {**body["spec"], "replicas": replicas}}
        # This version cannot send objects in this format, but it sends strings unchanged.
        done = deployments.server_side_apply(
            body=json.dumps(applied), name="applied", namespace=NAMESPACE, field_manager=manager, **options
        )
        owners = [
            each["manager"]
            for each in done.to_dict()["metadata"]["managedFields"]
            if "f:replicas" in each["fieldsV1"].get("f:spec", {})
        ]
        return [done.spec.replicas, sorted(owners)]

    first = apply("one", 0)
    try:
        apply("two", 1)
    except ConflictError as error:
        conflict = json.loads(error.body)["details"]["causes"][0]
    return [first, conflict, apply("two", 1, force_conflicts=True)]


@step
def dynamic_watch():
    maps = dyn.resources.get(api_version="v1", kind="ConfigMap")
    began = maps.get(namespace=NAMESPACE).metadata.resourceVersion
    core.create_namespaced_config_map(NAMESPACE, config_map("dynamic-watch"))
    watcher = watch.Watch()
    for event in maps.watch(namespace=NAMESPACE, resource_version=began, watcher=watcher):
        watcher.stop()
        return [event["type"], event["object"].metadata.name]


# Running pods


@step
def roll_out():
    apps.create_namespaced_deployment(NAMESPACE, deployment("web", 2))
    done = until(
        apps.list_namespaced_deployment,
        lambda _, seen: seen.status.available_replicas == 2,
        field_selector="metadata.name=web",
    )
    return done.status.ready_replicas


@step
def logs():
    core.create_namespaced_pod(NAMESPACE, pod("web-0", "nginx:1.25"))
    until_ready("web-0")
    lines = core.read_namespaced_pod_log("web-0", NAMESPACE).splitlines()
    stamped = core.read_namespaced_pod_log("web-0", NAMESPACE, timestamps=True, tail_lines=1)
    return [lines[-1], stamped.split(" ", 1)[0][-1], failure(core.read_namespaced_pod_log, "none", NAMESPACE)["status"]]


@step
def logs_that_are_followed():
    """Lines arrive while the container runs, and the stream ends when it exits."""
    command = ["sh", "-c", "echo one; sleep 2; echo two"]
    core.create_namespaced_pod(NAMESPACE, pod("speaker", "busybox:1.36", command))
    until(
        core.list_namespaced_pod,
        lambda _, seen: seen.status.phase in ("Running", "Succeeded"),
        field_selector="metadata.name=speaker",
    )
    # watch.Watch would restart the log at its end, so this reads the response once, to its end.
    answer = core.read_namespaced_pod_log("speaker", NAMESPACE, follow=True, _preload_content=False)
    return answer.read().decode().splitlines()


def exec_stream(command, **options):
    asked = {"stdin": False, "stdout": True, "stderr": True, "tty": False, **options}
    return stream(core.connect_get_namespaced_pod_exec, "web-0", NAMESPACE, command=command, **asked)


@step
def exec_in_a_pod():
    return exec_stream(["sh", "-c", "echo out; echo $HOSTNAME"])


@step
def exec_with_stdin_and_exit_code():
    # The client cannot close its input, so it sends the shell an exit command.
    opened = exec_stream(["sh"], stdin=True, _preload_content=False)
    opened.write_stdin("echo hello\n")
    out = opened.readline_stdout(timeout=30)
    opened.write_stdin("ls /nowhere\n")
    err = opened.readline_stderr(timeout=30)
    opened.write_stdin("exit 3\n")
    opened.run_forever(timeout=30)
    return [out, "/nowhere" in err, opened.returncode]


@step
def exec_refused():
    return failure_of_upgrade(lambda: exec_stream(["sh"], container="none"))


def failure_of_upgrade(call):
    try:
        call()
    except ApiException as error:
        return [error.status, error.reason.split("\n")[0]]
    raise AssertionError("the request was not rejected")


@step
def attach():
    """Attaches to a shell that is the first process of its container."""
    body = pod("shell", "busybox:1.36", ["sh"])
    body.spec.containers[0].stdin = True
    core.create_namespaced_pod(NAMESPACE, body)
    until_ready("shell")
    opened = stream(
        core.connect_get_namespaced_pod_attach,
        "shell",
        NAMESPACE,
        stdin=True,
        stdout=True,
        stderr=True,
        tty=False,
        _preload_content=False,
    )
    opened.write_stdin("echo attached\n")
    out = opened.readline_stdout(timeout=30)
    opened.close()
    return out


@step
def port_forward():
    """Forwards two ports at once. Only one of them has a server."""
    opened = portforward(core.connect_get_namespaced_pod_portforward, "web-0", NAMESPACE, ports="80,81")
    connection = HTTPConnection("web-0")
    connection.sock = opened.socket(80)
    connection.request("GET", "/", headers={"Connection": "close"})
    answer = connection.getresponse()
    body = answer.read().decode()
    closed = opened.socket(81)
    closed.setblocking(True)
    closed.settimeout(30)
    rest = closed.recv(1)
    return [answer.status, "Welcome to nginx!" in body, rest.decode(), "connection refused" in opened.error(81)]


@step
def eviction():
    core.create_namespaced_pod(NAMESPACE, pod("evicted", "nginx:1.25"))
    ready = until_ready("evicted")
    body = client.V1Eviction(metadata=client.V1ObjectMeta(name="evicted"))
    core.create_namespaced_pod_eviction("evicted", NAMESPACE, body)
    gone = until(
        core.list_namespaced_pod,
        lambda type, _: type == "DELETED",
        field_selector="metadata.name=evicted",
        resource_version=ready.metadata.resource_version,
    )
    return gone.metadata.name


@step
def eviction_refused():
    """A budget allows no eviction until its status has been computed."""
    core.create_namespaced_pod(NAMESPACE, pod("guarded", "nginx:1.25", labels={"guarded": ""}))
    until_ready("guarded")
    spec = client.V1PodDisruptionBudgetSpec(
        min_available=1, selector=client.V1LabelSelector(match_labels={"guarded": ""})
    )
    meta = client.V1ObjectMeta(name="guard")
    policy.create_namespaced_pod_disruption_budget(
        NAMESPACE, client.V1PodDisruptionBudget(metadata=meta, spec=spec)
    )
    body = client.V1Eviction(metadata=client.V1ObjectMeta(name="guarded"))
    return failure(core.create_namespaced_pod_eviction, "guarded", NAMESPACE, body)


@step
def delete_a_deployment():
    """The client passes on the propagation policy, so the dependents are deleted, too."""
    version = apps.read_namespaced_deployment("web", NAMESPACE).metadata.resource_version
    apps.delete_namespaced_deployment("web", NAMESPACE, propagation_policy="Foreground")
    until(
        apps.list_namespaced_deployment,
        lambda type, _: type == "DELETED",
        field_selector="metadata.name=web",
        resource_version=version,
    )
    return len(core.list_namespaced_pod(NAMESPACE, label_selector="app=web").items)


socket.setdefaulttimeout(PATIENCE_S)
for each in STEPS:
    try:
        say({"step": each.__name__, "saw": each()})
    except Exception:
        say({"step": each.__name__, "failed": traceback.format_exc()})
