import type { Mistake } from '#harness/testing';

/** Mistakes of the ★ parts. */
export const optionalParts: readonly Mistake[] = [
  {
    id: 'refuses-templates',
    why: 'A Deployment is refused, although only its pods would violate the standard.',
    origin: 'kubernetes/kubernetes#106017',
    law: 'Pod security',
    edits: [['const refusal = isEnforced ? violating', 'const refusal = isEnforced || pod ? violating']],
  },
  {
    id: 'only-warns',
    why: 'A pod that violates the standard gets a warning.',
    origin: 'common',
    law: 'Pod security',
    edits: [['if (refusal) throw forbidden(attributes, refusal);', 'if (refusal) attributes.warn(refusal);']],
  },
  {
    id: 'judges-again',
    why: 'A label of a running pod cannot be changed after its namespace became stricter.',
    origin: 'common',
    law: 'Pod security',
    edits: [
      [
        "if (isPod && operation === 'UPDATE' && !isSignificant(pod.spec, (oldObject as Pod).spec)) return;",
        "if (isPod && operation === 'DELETE' && !isSignificant(pod.spec, (oldObject as Pod).spec)) return;",
      ],
    ],
  },
  {
    id: 'warns-on-demand',
    why: 'An enforced standard does not warn about templates.',
    origin: 'common',
    law: 'Pod security',
    edits: [
      [
        "if (isSet && labelOf('warn') === undefined && enforce.level !== 'privileged') {",
        "if (isSet && labelOf('warn') === '') {",
      ],
    ],
  },
  {
    id: 'any-node',
    why: "A kubelet changes other kubelets' nodes.",
    origin: 'common',
    law: 'Own node',
    edits: [['if (name !== node) return `node "${node}" is not allowed to modify node "${name}"`;', '']],
  },
  {
    id: 'any-pod',
    why: "A kubelet deletes other nodes' pods.",
    origin: 'common',
    law: 'Own node',
    edits: [
      [
        'if (stored.spec.nodeName === node) return undefined;',
        'if (stored.spec.nodeName !== "") return undefined;',
      ],
    ],
  },
  {
    id: 'pods-elsewhere',
    why: 'A kubelet creates mirror pods on other nodes.',
    origin: 'common',
    law: 'Own node',
    edits: [
      [
        'if (spec.nodeName !== node) return `node "${node}" can only create pods with spec.nodeName set to itself`;',
        '',
      ],
    ],
  },
  {
    id: 'reads-secrets',
    why: 'A kubelet creates a mirror pod with a secret, and so reads it.',
    origin: 'common',
    law: 'Own node',
    edits: [
      [
        'return referenced && `node "${node}" can not create pods that reference ${referenced}`;',
        'return referenced === "" ? referenced : undefined;',
      ],
    ],
  },
  {
    id: 'any-label',
    why: 'A kubelet gives its node the label of a trusted node.',
    origin: 'kubernetes/kubernetes#68267',
    law: 'Own node',
    edits: [
      [
        'const forbiddenLabels = forbiddenNodeLabels(changedLabels(sent.metadata.labels, old?.metadata.labels));',
        'const forbiddenLabels = forbiddenNodeLabels([]);\n  changedLabels(sent.metadata.labels, old?.metadata.labels);',
      ],
    ],
  },
  {
    id: 'status-of-others',
    why: "A kubelet writes the status of other nodes' pods.",
    origin: 'common',
    law: 'Own node',
    edits: [
      [
        '  if (old.spec.nodeName !== node) {\n    return `node "${node}" can only update pod status',
        '  if (old.spec.nodeName === "") {\n    return `node "${node}" can only update pod status',
      ],
    ],
  },
];
