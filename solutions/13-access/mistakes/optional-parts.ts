import type { Mistake } from '#harness/testing';

/** Levels 10 and 11 · Nodes and aggregates */
export const optionalParts: readonly Mistake[] = [
  {
    id: 'all-nodes-read-all-secrets',
    why: 'A node may read each secret: one stolen node is a stolen cluster.',
    origin: 'Kubernetes before the Node authorizer',
    law: 'Nodes only',
    edits: [
      [
        "  if (belongsTo(node, attributes, cache)) return { verdict: 'allow' };",
        "  if (belongsTo(node, attributes, cache) || attributes.resource === 'secrets') return { verdict: 'allow' };",
      ],
    ],
  },
  {
    id: 'secrets-of-any-namespace',
    why: 'Compares only names: a pod in another namespace makes the secret readable.',
    origin: 'common',
    law: 'Nodes only',
    edits: [['  return cache\n    .list(pods, namespace)\n', '  return cache\n    .list(pods)\n']],
  },
  {
    id: 'pods-of-all-namespaces',
    why: 'Lists the pods of all namespaces for an object without a namespace.',
    origin: "common: cache.list(pods, '')",
    law: 'Nodes only',
    edits: [["  if (namespace === '') return [];\n", '']],
  },
  {
    id: 'pods-of-any-node',
    why: 'Uses the pods of all nodes.',
    origin: 'common',
    law: 'Nodes only',
    edits: [
      [
        '.filter(({ spec, metadata }) => spec.nodeName === node && !isMirror(metadata.annotations));',
        ".filter(({ spec, metadata }) => spec.nodeName !== undefined && node !== '' && !isMirror(metadata.annotations));",
      ],
    ],
  },
  {
    id: 'mirror-pods-count',
    why: 'Counts mirror pods, which a node creates itself: it writes one with the secret that it wants.',
    misconception: 'You seem to believe that somebody else has created each pod.',
    origin: 'common',
    law: 'Nodes only',
    edits: [
      [
        "  'kubernetes.io/config.mirror' in annotations;",
        "  'kubernetes.io/config.mirrored' in annotations;",
      ],
    ],
  },
  {
    id: 'volume-secrets-forgotten',
    why: 'Does not follow a claim to its volume and its secret.',
    origin: 'common',
    law: 'Nodes read',
    edits: [
      [
        "return resource === 'secrets' && isSecretOfVolume(",
        "return resource === 'never' && isSecretOfVolume(",
      ],
    ],
  },
  {
    id: 'volumes-of-any-claim',
    why: 'Takes each bound volume for one of the node.',
    origin: 'common',
    law: 'Nodes only',
    edits: [
      [
        'return podsOf(node, namespace, cache).some((pod) => referencesOf(pod).claims.has(name));',
        "return podsOf(node, namespace, cache).some((pod) => referencesOf(pod).claims.size > 0 && name !== '');",
      ],
    ],
  },
  {
    id: 'tokens-of-all-accounts',
    why: 'A node may create tokens for each account.',
    origin: 'common',
    law: 'Nodes only',
    edits: [
      [
        '.some(({ spec }) => spec.serviceAccountName === name);',
        ".some(({ spec }) => spec.serviceAccountName !== name || name !== '');",
      ],
    ],
  },
  {
    id: 'node-refuses',
    why: 'Refuses a request that it does not know: roles for nodes have no effect.',
    misconception: 'You seem to believe that an authorizer that does not allow a request refuses it.',
    origin: 'common',
    law: 'Nodes read',
    edits: [
      [
        `  const reason = \`no relationship found between node '\${node}' and this object\`;\n  return { verdict: 'no opinion', reason };`,
        `  const reason = \`no relationship found between node '\${node}' and this object\`;\n  return { verdict: 'deny', reason };`,
      ],
    ],
  },
  {
    id: 'aggregates-itself',
    why: 'Aggregates the role itself, if it has the label: a removed rule never leaves it.',
    origin: 'common',
    law: 'Aggregated',
    edits: [
      [
        '    .filter(({ metadata }) => metadata.name !== role.metadata.name)\n',
        '    .filter(({ metadata }) => metadata.name.length > 0)\n',
      ],
    ],
  },
  {
    id: 'ordered-as-words',
    why: 'Orders the selected roles as a dictionary does, with capitals beside small letters: two controllers overwrite each other forever.',
    origin: 'common: localeCompare',
    law: 'Level 11',
    hidden: 'The order of rules changes no answer.',
    edits: [
      [
        '.sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));',
        '.sort((a, b) => a.metadata.name.localeCompare(b.metadata.name));',
      ],
    ],
  },
  {
    id: 'first-selector-only',
    why: 'Uses only the first selector.',
    origin: 'common',
    law: 'Aggregated',
    edits: [
      [
        'for (const each of role.aggregationRule?.clusterRoleSelectors ?? []) {',
        'for (const each of role.aggregationRule?.clusterRoleSelectors?.slice(0, 1) ?? []) {',
      ],
    ],
  },
  {
    id: 'rules-twice',
    why: 'Adds a rule of two roles twice.',
    origin: 'common',
    law: 'Aggregated',
    edits: [
      [
        'if (!rules.some((known) => semanticEqual(known, rule))) rules.push(rule);',
        'if (!rules.includes(rule)) rules.push(rule);',
      ],
    ],
  },
  {
    id: 'removed-rules-stay',
    why: 'Adds rules to the old ones: a removed rule stays.',
    misconception: 'You seem to believe that rules only ever come.',
    origin: 'common',
    law: 'Aggregated',
    edits: [
      [
        '  const rules: rbac.PolicyRule[] = [];\n  for (const each of role.aggregationRule',
        '  const rules: rbac.PolicyRule[] = [...(role.rules ?? [])];\n  for (const each of role.aggregationRule',
      ],
    ],
  },
  {
    id: 'only-its-own-events',
    why: 'Looks at an aggregate only when the aggregate itself changes.',
    misconception: 'You seem to believe that an event about another object does not concern this one.',
    origin: 'common',
    law: 'Aggregated',
    edits: [
      [
        '  informer.addEventHandler({ onAdd: enqueue, onUpdate: enqueue, onDelete: enqueue });',
        '  informer.addEventHandler({ onAdd: enqueue, onUpdate: (_, { metadata }) => queue.add(metadata.name), onDelete: enqueue });',
      ],
    ],
  },
  {
    id: 'deletions-unheard',
    why: 'Does not listen to deletions.',
    origin: 'common',
    law: 'Aggregated',
    edits: [['onUpdate: enqueue, onDelete: enqueue });', 'onUpdate: enqueue, onDelete: () => {} });']],
  },
  {
    id: 'without-force',
    why: 'Does not take the rules over from a user who wrote them: the apply conflicts forever.',
    origin: 'common',
    law: 'Aggregated',
    edits: [['{ fieldManager, force: true, signal },', '{ fieldManager, force: false, signal },']],
  },
  {
    id: 'writes-again-and-again',
    why: 'Writes rules that are right already.',
    origin: 'common',
    law: 'Level 11',
    hidden: 'An apply that changes nothing writes nothing.',
    edits: [['      if (semanticEqual(rules, role.rules ?? [])) return;\n', '']],
  },
  {
    id: 'writes-every-role',
    why: 'Writes roles without an aggregationRule, too, and empties them.',
    origin: 'common',
    law: 'Writes only rules',
    edits: [
      [
        '      if (aggregationRule) queue.add(metadata.name);',
        '      if (aggregationRule || metadata) queue.add(metadata.name);',
      ],
      ['      if (!role?.aggregationRule) return;', '      if (!role) return;'],
    ],
  },
];
