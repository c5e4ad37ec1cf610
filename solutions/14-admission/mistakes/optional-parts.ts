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
  {
    id: 'opens-by-a-typing-error',
    why: 'A typing error in the enforced level opens a namespace.',
    misconception: 'You seem to believe that an unknown level is no level.',
    origin: 'common',
    law: 'Pod security',
    edits: [
      [
        `return level ?? (mode === 'enforce' ? 'restricted' : 'privileged');`,
        `return level ?? 'privileged';`,
      ],
    ],
  },
  {
    id: 'closes-every-mode',
    why: 'A typing error in the level for warnings warns about nearly every pod.',
    origin: 'common',
    law: 'Pod security',
    edits: [
      [
        `return level ?? (mode === 'enforce' ? 'restricted' : 'privileged');`,
        `return level ?? 'restricted';`,
      ],
    ],
  },
  {
    id: 'one-version',
    why: 'The versions in the labels are ignored.',
    origin: 'common',
    law: 'Pod security',
    edits: [
      [
        `if (value === undefined || isPolicyVersion(value)) return value ?? 'latest';`,
        `if (value === undefined || isPolicyVersion(value)) return 'latest';`,
      ],
    ],
  },
  {
    id: 'old-version',
    why: 'A typing error in a version means the oldest one.',
    origin: 'common',
    law: 'Pod security',
    edits: [
      [
        `causes.push(invalidPolicyLabel(\`\${POD_SECURITY_LABEL}\${mode}-version\`, value));
    return 'latest';`,
        `causes.push(invalidPolicyLabel(\`\${POD_SECURITY_LABEL}\${mode}-version\`, value));
    return 'v1.0';`,
      ],
    ],
  },
  {
    id: 'any-labels',
    why: 'A namespace with a typing error in its standard is accepted.',
    origin: 'common',
    law: 'Pod security',
    edits: [
      [
        `return { policy: { enforce, audit, warn }, causes };`,
        `return { policy: { enforce, audit, warn }, causes: [] };`,
      ],
    ],
  },
  {
    id: 'no-audit',
    why: 'Violations do not reach the audit log.',
    origin: 'common',
    law: 'Pod security',
    edits: [[`...(audited && { audit: audited })`, `...(audited && {})`]],
  },
  {
    id: 'silent-about-pods',
    why: 'An administrator who tightens a standard does not see the pods that break it.',
    origin: 'common',
    law: 'Pod security',
    edits: [[`    if (reason) byReason.set(`, `    if (!reason) byReason.set(`]],
  },
  {
    id: 'warns-by-the-enforced-version',
    why: 'The version for warnings is ignored.',
    origin: 'common',
    law: 'Pod security',
    edits: [
      [
        `const version = valueAt('warn-version') === undefined ? enforce.version : warn.version;`,
        `const { version } = enforce;`,
      ],
    ],
  },
  {
    id: 'several-owners',
    why: 'A mirror pod of a kubelet has other owners, too.',
    origin: 'common',
    law: 'Own node',
    edits: [[`if (more.length > 0) return`, `if (more.length > 9) return`]],
  },
  {
    id: 'any-owner-uid',
    why: 'A mirror pod belongs to a deleted Node of the same name.',
    misconception: 'You seem to believe that a name identifies an object.',
    origin: 'common',
    law: 'Own node',
    edits: [[`if (owner.uid !== uid) return`, `if (!uid) return`]],
  },
  {
    id: 'no-controller',
    why: 'A mirror pod has no controller.',
    origin: 'common',
    law: 'Own node',
    edits: [
      [
        `  if (!owner.controller) return \`\${create} a controller owner reference set to itself\`;
`,
        ``,
      ],
    ],
  },
  {
    id: 'blocks-its-node',
    why: 'A mirror pod keeps its Node from being deleted.',
    origin: 'common',
    law: 'Own node',
    edits: [
      [
        `  if (owner.blockOwnerDeletion) return \`node "\${node}" must not set blockOwnerDeletion on an owner reference\`;
`,
        ``,
      ],
    ],
  },
  {
    id: 'deletes-the-unbound',
    why: 'A kubelet deletes pods that run nowhere yet.',
    origin: 'common',
    law: 'Own node',
    edits: [[`return stored.spec.nodeName === node`, `return (stored.spec.nodeName ?? node) === node`]],
  },
  {
    id: 'status-is-free',
    why: 'A kubelet changes its taints and labels through the status.',
    misconception: 'You seem to believe that a status has only a status.',
    origin: 'common',
    law: 'Own node',
    edits: [
      [
        `const { operation, name, object, oldObject } = attributes;
  if (name !== node)`,
        `const { operation, name, object, oldObject, subresource } = attributes;
  if (name === node && subresource === 'status') return undefined;
  if (name !== node)`,
      ],
    ],
  },
  {
    id: 'owned-node',
    why: 'A kubelet changes the owners of its Node.',
    origin: 'common',
    law: 'Own node',
    edits: [
      [
        `if (!semanticEqual(sent.metadata.ownerReferences, old.metadata.ownerReferences)) {`,
        `if (!semanticEqual(sent.metadata.name, old.metadata.name)) {`,
      ],
    ],
  },
  {
    id: 'unbound-tokens',
    why: 'A kubelet gets a token that outlives each pod.',
    origin: 'common',
    law: 'Own node',
    edits: [[`    return 'node requested token not bound to a pod';`, `    return undefined;`]],
  },
  {
    id: 'tokens-without-uid',
    why: 'A kubelet gets a token for a pod without naming its uid.',
    origin: 'common',
    law: 'Own node',
    edits: [
      [
        `if (!ref.uid) return 'node requested token with a pod binding without a uid';`,
        `if (!ref.uid) return undefined;`,
      ],
    ],
  },
  {
    id: 'any-audience',
    why: 'A kubelet gets a token for an audience that its pod does not ask for.',
    origin: 'common',
    law: 'Own node',
    edits: [
      [
        `token && (token.audience ?? '') === audience,`,
        `token && (token.audience ?? '') === (audience && ''),`,
      ],
    ],
  },
  {
    id: 'many-audiences',
    why: 'A kubelet gets one token for several audiences.',
    origin: 'common',
    law: 'Own node',
    edits: [[`if (audiences.length > 1) return`, `if (audiences.length > 9) return`]],
  },
];
