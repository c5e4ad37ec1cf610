import type { Mistake } from '#harness/testing';

/** Mistakes that only rare objects and moments show. */
export const corners: readonly Mistake[] = [
  {
    id: 'claims-lost',
    why: 'A container loses its claims of devices, because its resources are replaced.',
    misconception: 'You seem to believe that the resources of a container are limits and requests only.',
    origin: 'common',
    law: 'Keeps values',
    edits: [['resources: { ...container.resources, limits, requests }', 'resources: { limits, requests }']],
  },
  {
    id: 'only-conflicts',
    why: 'A quota that is deleted at the wrong moment refuses the object.',
    misconception: 'You seem to believe that a write fails only if another client was faster.',
    origin: 'common',
    law: 'Charged once',
    edits: [
      [
        '        failed.push(quota.metadata.name);',
        '        if ((error as { code?: number }).code !== 409) throw error;\n        failed.push(quota.metadata.name);',
      ],
    ],
  },
  {
    id: 'refuses-once',
    why: 'A quota that requires more amounts since the conflict is charged for a pod without them.',
    misconception: 'You seem to believe that only the usage of a quota changes.',
    origin: 'common',
    law: 'Level 4',
    hidden: 'A cluster may also store the object before the quota requires the amounts.',
    edits: [
      ['if (why) throw new Refusal(why);', 'if (why && retries === QUOTA_RETRIES) throw new Refusal(why);'],
    ],
  },
  {
    id: 'counts-once',
    why: 'A quota that no longer counts the object since the conflict is charged.',
    origin: 'common',
    law: 'Level 4',
    hidden: 'The scopes of a quota never change.',
    edits: [
      [
        'quotas.filter((quota) => request.isCountedBy(quota));',
        'quotas.filter((quota) => retries < QUOTA_RETRIES || request.isCountedBy(quota));',
      ],
    ],
  },
  {
    id: 'only-used',
    why: 'Other fields in the status of a quota are lost.',
    origin: 'common',
    law: 'Level 4',
    hidden: 'The status of a quota has no other field.',
    edits: [['status: { ...quota.status, used: { ...total } }', 'status: { hard, used: { ...total } }']],
  },
  {
    id: 'first-error',
    why: 'The error of the first failed write of the round is thrown.',
    origin: 'common',
    law: 'Level 4',
    hidden: 'The conflict names another quota, and either name is right.',
    edits: [['        lastError = error;', '        lastError ??= error;']],
  },
  {
    id: 'waits-for-updates',
    why: 'An update in a missing namespace waits for 50 ms.',
    origin: 'common',
    law: 'Level 2',
    hidden: 'A cluster shows only a longer time.',
    edits: [["if (!found && operation === 'CREATE') {", 'if (!found && operation) {']],
  },
  {
    id: 'updates-are-fresh',
    why: 'An update trusts the cache right after the delete of its namespace.',
    origin: 'common',
    law: 'Level 2',
    hidden: 'The objects of a namespace disappear before it does, so an update finds none.',
    edits: [
      ["found?.status?.phase === 'Active';", "found?.status?.phase === 'Active' && operation === 'CREATE';"],
    ],
  },
  {
    id: 'reads-too-often',
    why: 'The storage is read although the cache has observed the end of the namespace.',
    origin: 'common',
    law: 'Level 2',
    hidden: 'It costs a read, and the answer is the same.',
    edits: [[" && found?.status?.phase === 'Active';", ';']],
  },
  {
    id: 'lifecycle-of-any-group',
    why: 'A custom resource of the kind Namespace appears in a namespace that ends.',
    misconception: 'You seem to believe that a kind has one group.',
    origin: 'common',
    law: 'Level 2',
    hidden: 'No run has a custom resource of this kind.',
    edits: [
      [
        "if (resource.kind === 'Namespace' && resource.group === '') {",
        "if (resource.kind === 'Namespace') {",
      ],
    ],
  },
  {
    id: 'absent-is-ignore',
    why: 'A webhook without a failure policy fails open.',
    misconception: 'You seem to believe that an absent policy means no check.',
    origin: 'common',
    law: 'Level 6',
    hidden: 'The apiserver sets the default policy of each stored webhook.',
    edits: [["if (hook.failurePolicy !== 'Ignore') throw", "if (hook.failurePolicy === 'Fail') throw"]],
  },
  {
    id: 'new-labels-of-a-status',
    why: 'An update of `namespaces/status` is matched with labels that it does not store.',
    misconception: 'You seem to believe that a subresource is a write of its object.',
    origin: 'common',
    law: 'Called rightly',
    edits: [
      [
        "const hasOwn = isNamespace && subresource === '' && isWrite;",
        'const hasOwn = isNamespace && isWrite && subresource !== operation;',
      ],
    ],
  },
  {
    id: 'old-labels-of-a-delete',
    why: 'The delete of a namespace is matched with the labels in the request, not with those that the cache has.',
    origin: 'common',
    law: 'Level 5',
    hidden: 'Both labels are the same, unless the cache is behind, and then either answer is right.',
    edits: [
      [
        '{ resource, subresource, namespace, operation, object }: AdmissionAttributes,',
        '{ resource, subresource, namespace, operation, object, oldObject }: AdmissionAttributes,',
      ],
      [
        'return selector.matches(hasOwn ? object',
        "if (isNamespace && operation === 'DELETE') return selector.matches(oldObject?.metadata.labels);\n  return selector.matches(hasOwn ? object",
      ],
    ],
  },
  {
    id: 'owner-by-name',
    why: 'A kubelet creates a mirror pod with an owner that is not a Node.',
    misconception: 'You seem to believe that a name identifies an object.',
    origin: 'common',
    law: 'Own node',
    edits: [
      [
        "if (owner?.apiVersion !== 'v1' || owner.kind !== 'Node' || owner.name !== node) {",
        'if (owner?.name !== node) {',
      ],
    ],
  },
  {
    id: 'empty-is-absent',
    why: 'A mirror pod whose annotation is empty is refused.',
    misconception: 'You seem to believe that an empty value is an absent one.',
    origin: 'common',
    law: 'Own node',
    edits: [
      [
        'if (!Object.hasOwn(metadata.annotations ?? {}, mirrorAnnotation)) {',
        'if (!metadata.annotations?.[mirrorAnnotation]) {',
      ],
    ],
  },
  {
    id: 'one-namespace',
    why: 'A kubelet gets tokens for its pods in one namespace only.',
    misconception: 'You seem to believe that the name of a pod is unique in a cluster.',
    origin: 'common',
    law: 'Own node',
    edits: [
      [
        'const pod = cache.get(pods, { namespace, name: ref.name });',
        "const pod = cache.get(pods, { namespace: namespace && 'ns', name: ref.name });",
      ],
    ],
  },
  {
    id: 'unordered-warnings',
    why: 'The lines of the warnings have the order of the pods.',
    origin: 'common',
    law: 'Level 9',
    hidden: 'Nothing depends on the order of warnings.',
    edits: [['...each.sort(),', '...each,']],
  },
];
