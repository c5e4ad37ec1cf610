import type { Mistake } from '#harness/testing';

/** The laws alone kill each mistake. */
export const lawsSuffice = true;

/**
 * Wrong controllers, each made by one or two edits of the reference. `k#` is an issue or pull request of
 * kubernetes/kubernetes.
 */
export const mistakes: readonly Mistake[] = [
  {
    id: 'an-address-is-an-endpoint',
    why: 'Endpoints are identified by their addresses alone: if two pods share one, the new pod is missing.',
    origin: 'k#115907',
    law: 'Exact',
    edits: [
      [
        'return JSON.stringify([[...(addresses ?? [])].sort(), hostname, namespace, name]);',
        'void [hostname, namespace, name];\n  return JSON.stringify([...(addresses ?? [])].sort());',
      ],
    ],
  },
  {
    id: 'the-dead-keep-their-address',
    why: 'The address of a failed or succeeded pod is published, although another pod may have it now.',
    origin: 'k#109414',
    law: 'Truthful',
    edits: [["if (status.phase === 'Succeeded' || status.phase === 'Failed') return false;", '']],
  },
  {
    id: 'the-phase-is-no-news',
    why: 'A pod that ends without ever being ready keeps its address until something else changes.',
    origin: 'kubernetes/endpointslice@v0.36.3 util/controller_utils.go podEndpointsChanged',
    law: 'Exact',
    edits: [["    pod.status.phase === 'Succeeded' || pod.status.phase === 'Failed',\n", '']],
  },
  {
    id: 'believes-its-cache',
    why: "A pod changes twice. The second sync compares with a cached slice that is older than the controller's last write, and finds no difference.",
    origin: 'k#125638',
    law: 'Exact',
    edits: [['    await this.#mustBeFresh(key, slices);\n', '']],
  },
  {
    id: 'waits-for-what-has-gone',
    why: 'The controller waits forever for a slice whose deletion it observed before the response to its create.',
    origin: 'k#141592',
    law: 'Exact',
    edits: [
      [
        'if (!fresh || !isOwn(fresh) || serviceKeyOf(fresh) !== key) this.#tracker.forget(slice);',
        'if (fresh && !isOwn(fresh)) this.#tracker.forget(slice);',
      ],
    ],
  },
  {
    id: 'a-failure-is-swallowed',
    why: 'A failed write is reported but not retried.',
    origin: 'k#28674',
    law: 'Exact',
    edits: [
      [
        "this.#context.recorder.event(service, 'Warning', 'FailedToUpdateEndpointSlices', message);\n      throw error;",
        "this.#context.recorder.event(service, 'Warning', 'FailedToUpdateEndpointSlices', message);",
      ],
    ],
  },
  {
    id: 'readiness-is-no-difference',
    why: 'A slice is written only when its addresses change: a pod that becomes unready stays ready in the slice.',
    origin: 'deckhouse/deckhouse#22686',
    law: 'Exact',
    edits: [
      [
        'endpoints.some((each, i) => !deepEqual(each, present[i]))',
        'endpoints.some((each, i) => !deepEqual(each.addresses, present[i]?.addresses))',
      ],
    ],
  },
  {
    id: 'the-ending-are-ready',
    why: 'A pod that is being deleted stays ready while its probes succeed.',
    origin: 'k#54723',
    law: 'Exact',
    edits: [['(serving && !terminating)', 'serving']],
  },
  {
    id: 'the-unready-are-hidden',
    why: 'Pods that are not ready are not published, even if the Service requests it.',
    origin: 'common',
    law: 'Exact',
    edits: [['const ready = (service.spec.publishNotReadyAddresses ?? false) || ', 'const ready = ']],
  },
  {
    id: 'ports-go-by-number',
    why: "If a pod has no port with the name of the target port, the number of the Service's port is used.",
    origin: 'common',
    law: 'Exact',
    edits: [
      [
        "(each.protocol ?? 'TCP') === protocol)?.containerPort",
        "(each.protocol ?? 'TCP') === protocol)?.containerPort ?? port",
      ],
    ],
  },
  {
    id: 'no-port-no-endpoint',
    why: "A pod without any of the Service's ports is left out: the name of a headless Service lacks its address.",
    origin: 'k#109627',
    law: 'Exact',
    edits: [
      [
        '    const key = portsKey(ports);\n    const group',
        '    if (ports.length === 0 && (service.spec.ports ?? []).length > 0) continue;\n    const key = portsKey(ports);\n    const group',
      ],
    ],
  },
  {
    id: 'ports-of-any-protocol',
    why: 'Finds a named port by its name alone: a TCP port of the Service leads to a UDP port of the pod.',
    origin: 'found by an edit of the reference',
    law: 'Exact',
    edits: [
      [
        "each.name === targetPort && (each.protocol ?? 'TCP') === protocol",
        'each.name === targetPort && protocol.length > 0',
      ],
    ],
  },
  {
    id: 'only-new-labels-count',
    why: 'When the labels of a pod change, only the Services that select it now are synced, not those that selected it before.',
    origin: 'common',
    law: 'Exact',
    edits: [
      [
        'const [did, does] = [selects(service, previous), selects(service, current)];',
        'const [did, does] = [!current && selects(service, previous), selects(service, current)];',
      ],
    ],
  },
  {
    id: 'labels-stay-behind',
    why: 'The labels of the Service are copied only when a slice is created.',
    origin: 'common',
    law: 'Exact',
    edits: [
      [
        '!deepEqual(unreserved(metadata.labels), unreserved(service.metadata.labels));',
        '!deepEqual(unreserved(metadata.labels), unreserved(metadata.labels));',
      ],
    ],
  },
  {
    id: 'a-slice-without-end',
    why: 'A slice can have any number of endpoints.',
    origin: 'common',
    law: 'Bounded',
    edits: [['    if (endpoints.length >= max) return;\n', '']],
  },
  {
    id: 'placed-twice',
    why: 'An endpoint that is already in one slice is added to another slice, too.',
    origin: 'common',
    law: 'Exact',
    edits: [
      [
        'const endpoints = present.flatMap((endpoint) => take(unplaced, endpointKey(endpoint)));',
        'const endpoints = present.flatMap((endpoint) => unplaced.get(endpointKey(endpoint)) ?? []);',
      ],
    ],
  },
  {
    id: 'nothing-says-nothing',
    why: 'A Service without endpoints has no slice: a reader cannot distinguish it from a Service that has not been synced yet.',
    origin: 'common',
    law: 'Exact',
    edits: [['if (creates.length === 0 && deletes.length === slices.length) {', 'if (slices.length < 0) {']],
  },
  {
    id: 'writes-to-be-sure',
    why: 'Every slice is written at every sync.',
    origin: 'common',
    law: 'Meaningful',
    edits: [
      [
        'isWritten: isChanged || isOutdated(slice),',
        'isWritten: isChanged || isOutdated(slice) || endpoints.length > 0,',
      ],
    ],
  },
  {
    id: 'one-for-all',
    why: 'When one slice of a Service has changed, all of them are written.',
    origin: 'common',
    law: 'Sparing',
    edits: [
      [
        '  const kept = drafts.filter(({ isLost }) => !isLost);\n',
        '  const kept = drafts.filter(({ isLost }) => !isLost);\n  const isAnyWritten = kept.some(({ isWritten }) => isWritten);\n  for (const draft of kept) draft.isWritten ||= isAnyWritten;\n',
      ],
    ],
  },
  {
    id: 'hints-for-endpoints-that-wait',
    why: 'Pods that are not ready get hints, too.',
    origin: 'common',
    law: 'Exact',
    edits: [['if (!conditions?.ready || !DISTRIBUTIONS', 'if (!conditions || !DISTRIBUTIONS']],
  },
  {
    id: 'users-may-edit',
    why: "The controller ignores other users' changes of its slices.",
    origin: 'common',
    law: 'Exact',
    edits: [
      [
        'else if (isOwn(current) && this.#tracker.isNews(current)) this.#lookAgain(current);',
        'else if (!isOwn(current)) this.#lookAgain(current);',
      ],
    ],
  },
  {
    id: 'endpoints-outlive-their-service',
    why: 'Endpoints whose Service was deleted while no controller ran stay forever.',
    origin: 'k#6877',
    law: 'Legacy Endpoints',
    edits: [['      () => this.#checkLeftovers(),\n', '      () => void (() => this.#checkLeftovers()),\n']],
  },
  {
    id: 'endpoints-hold-the-ending',
    why: 'A pod that is being deleted stays among the addresses.',
    origin: 'k#54723',
    law: 'Legacy Endpoints',
    edits: [
      [
        'if (!shouldPodBeInEndpoints(pod, publishNotReadyAddresses)) continue;',
        'if (!shouldPodBeInEndpoints(pod, true)) continue;',
      ],
    ],
  },
  {
    id: 'endpoints-believe-their-cache',
    why: 'A pod changes twice, and the second sync compares with cached Endpoints that the controller has already replaced.',
    origin: 'k#125638',
    law: 'Legacy Endpoints',
    edits: [
      [
        'if (current && current.metadata.resourceVersion === this.#replaced.get(key)) {',
        'if (current && this.#replaced.get(key) === key) {',
      ],
    ],
  },
  {
    id: 'endpoints-without-ports',
    why: 'The pods of a headless Service without ports are left out.',
    origin: 'common',
    law: 'Legacy Endpoints',
    edits: [
      [
        "if (ports.length === 0 && clusterIP === 'None') add(undefined, member);",
        "if (ports.length < 0 && clusterIP === 'None') add(undefined, member);",
      ],
    ],
  },
];
