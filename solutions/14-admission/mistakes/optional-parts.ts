import type { Mistake } from '#harness/testing';

/** Mistakes of the ★ parts. */
export const optionalParts: readonly Mistake[] = [
  {
    id: 'refuses-templates',
    why: 'A Deployment is refused, although only its pods would violate the standard.',
    misconception: 'You seem to believe that a template is as dangerous as its pods.',
    origin: 'kubernetes/kubernetes#106017',
    law: 'Pod security',
    edits: [
      [
        "kind === 'pod' ? violating('violates', enforce) : undefined",
        "kind ? violating('violates', enforce) : undefined",
      ],
    ],
  },
  {
    id: 'only-warns',
    why: 'A pod that violates the standard gets a warning.',
    origin: 'common',
    law: 'Pod security',
    edits: [['...(refusal && { refusal })', '...(refusal && { warning: refusal })']],
  },
  {
    id: 'warns-on-demand',
    why: 'An enforced standard does not warn about templates.',
    misconception: 'You seem to believe that only the label for warnings causes warnings.',
    origin: 'common',
    law: 'Pod security',
    edits: [["!enforced || enforced === 'privileged'", '!enforced || enforced.length > 0']],
  },
  {
    id: 'any-node',
    why: "A kubelet changes other kubelets' nodes.",
    misconception: 'You seem to believe that all kubelets are one user.',
    origin: 'common',
    law: 'Own node',
    edits: [[`if (name !== node) return \`node "\${node}" is not allowed to modify node "\${name}"\`;`, '']],
  },
  {
    id: 'any-pod',
    why: "A kubelet deletes other nodes' pods.",
    origin: 'common',
    law: 'Own node',
    edits: [['return stored.spec.nodeName === node', "return stored.spec.nodeName !== ''"]],
  },
  {
    id: 'pods-elsewhere',
    why: 'A kubelet creates mirror pods on other nodes.',
    misconception: 'You seem to believe that a mirror pod names the node that sends it.',
    origin: 'common',
    law: 'Own node',
    edits: [[`  if (spec.nodeName !== node) return \`\${create} spec.nodeName set to itself\`;\n`, '']],
  },
  {
    id: 'reads-secrets',
    why: 'A kubelet creates a mirror pod with a secret, and so reads it.',
    misconception: 'You seem to believe that a mirror pod cannot do harm, because it runs already.',
    origin: 'common',
    law: 'Own node',
    edits: [
      [
        `return referenced && \`node "\${node}" can not create pods that reference \${referenced}\`;`,
        'return referenced === "" ? referenced : undefined;',
      ],
    ],
  },
  {
    id: 'any-label',
    why: 'A kubelet gives its node the label of a trusted node.',
    misconception: 'You seem to believe that the labels of a node only describe it.',
    origin: 'kubernetes/kubernetes#68267',
    law: 'Own node',
    edits: [
      [
        'changedLabels(sent.metadata.labels, old?.metadata.labels)',
        'changedLabels(sent.metadata.labels, sent.metadata.labels)',
      ],
    ],
  },
];
