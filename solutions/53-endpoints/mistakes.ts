import type { Mistake } from '#harness/testing';

/** Each of them dies of the laws alone. */
export const lawsSuffice = true;

/**
 * Controllers that are wrong, each by a change or two of the reference. `k#` is an issue or pull request of
 * kubernetes/kubernetes.
 */
export const mistakes: readonly Mistake[] = [
  {
    id: 'an-address-is-an-endpoint',
    why: 'Endpoints are told apart by their addresses alone: of two pods that share one, the new pod is missing.',
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
    why: 'The address of a pod that has failed or succeeded is published, and may be the address of another pod by now.',
    origin: 'k#109414',
    law: 'Truthful',
    edits: [["if (status.phase === 'Succeeded' || status.phase === 'Failed') return false;", '']],
  },
  {
    id: 'the-phase-is-no-news',
    why: 'A pod that ends without ever having been ready keeps its address until something else happens.',
    origin: 'kubernetes/endpointslice@v0.36.3 util/controller_utils.go podEndpointsChanged',
    law: 'Exact',
    edits: [["    pod.status.phase === 'Succeeded' || pod.status.phase === 'Failed',\n", '']],
  },
  {
    id: 'believes-its-cache',
    why: 'A pod changes twice; the second look compares with a slice that is older than the own last write, and finds nothing to do.',
    origin: 'k#125638',
    law: 'Exact',
    edits: [['    await this.#mustBeFresh(key, slices);\n', '']],
  },
  {
    id: 'waits-for-what-has-gone',
    why: 'A slice whose end was told before its creation was answered is awaited for ever.',
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
    why: 'A write that was refused is told of and not tried again.',
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
    why: 'A slice is written only when its addresses change: a pod that is not ready any more stays ready there.',
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
    why: 'A pod that is being deleted stays ready as long as its probes succeed.',
    origin: 'k#54723',
    law: 'Exact',
    edits: [['(serving && !terminating)', 'serving']],
  },
  {
    id: 'the-unready-are-hidden',
    why: 'Pods that are not ready are not published even where the Service asks for it.',
    origin: 'common',
    law: 'Exact',
    edits: [['const ready = (service.spec.publishNotReadyAddresses ?? false) || ', 'const ready = ']],
  },
  {
    id: 'ports-go-by-number',
    why: 'A target port that is a name is taken for the port of the Service where the pod has no such port.',
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
    id: 'only-new-labels-count',
    why: 'A pod whose labels change is taken to the Services that select it now, and not from those that did.',
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
    why: 'The labels of the Service are copied once, when a slice is made.',
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
    why: 'Endpoints go into a slice however many it holds.',
    origin: 'common',
    law: 'Bounded',
    edits: [['    if (endpoints.length >= max) return;\n', '']],
  },
  {
    id: 'placed-twice',
    why: 'An endpoint that has been found in one slice is put into another, too.',
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
    why: 'A Service without endpoints has no slice: a reader cannot tell it from one that no controller has looked at.',
    origin: 'common',
    law: 'Exact',
    edits: [['if (creates.length === 0 && deletes.length === slices.length) {', 'if (slices.length < 0) {']],
  },
  {
    id: 'writes-to-be-sure',
    why: 'Every slice is written at every look.',
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
    why: 'Changes that others make to a slice are left alone.',
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
    why: 'Endpoints whose Service went while no controller ran stay for ever.',
    origin: 'k#6877',
    law: 'The old form',
    edits: [['      () => this.#checkLeftovers(),\n', '      () => void (() => this.#checkLeftovers()),\n']],
  },
  {
    id: 'endpoints-hold-the-ending',
    why: 'A pod that is being deleted stays among the addresses.',
    origin: 'k#54723',
    law: 'The old form',
    edits: [
      [
        'if (!shouldPodBeInEndpoints(pod, publishNotReadyAddresses)) continue;',
        'if (!shouldPodBeInEndpoints(pod, true)) continue;',
      ],
    ],
  },
  {
    id: 'endpoints-believe-their-cache',
    why: 'A pod changes twice, and the second look compares with Endpoints that the controller has replaced since.',
    origin: 'k#125638',
    law: 'The old form',
    edits: [
      [
        'if (current && current.metadata.resourceVersion === this.#replaced.get(key)) {',
        'if (current && this.#replaced.get(key) === key) {',
      ],
    ],
  },
  {
    id: 'endpoints-without-ports',
    why: 'The pods of a headless Service that names no ports are left out.',
    origin: 'common',
    law: 'The old form',
    edits: [
      [
        "if (ports.length === 0 && clusterIP === 'None') add(undefined, member);",
        "if (ports.length < 0 && clusterIP === 'None') add(undefined, member);",
      ],
    ],
  },
];
