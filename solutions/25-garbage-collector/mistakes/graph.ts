import type { Mistake } from '#harness/testing';

/** Mistakes about the graph and about the events that update it. */
export const graph: readonly Mistake[] = [
  {
    id: 'virtual-nodes-are-not-verified',
    why: 'The collector never requests an owner that it has not observed, so the dependents of an owner that never existed stay.',
    origin: 'k#109748',
    law: 'Thorough',
    edits: [['    this.#attemptToDelete.add(node.uid);\n    return node;', '    return node;']],
  },
  {
    id: 'virtual-nodes-are-verified-once',
    why: 'If an owner exists at the first request, and is deleted before an informer reports it, the collector never requests it again.',
    origin: 'k#56121',
    law: 'Thorough',
    edits: [
      [
        '    if (node.isVirtual && this.#graph.get(uid) === node) throw new NotObserved(node.identity);\n',
        '    void NotObserved;\n',
      ],
    ],
  },
  {
    id: 'virtual-nodes-have-one-name',
    why: 'If an owner is not found under the name that one dependent uses, it is removed from the graph, even if other dependents use its correct name.',
    origin: 'k#92743',
    law: 'Thorough',
    edits: [
      [
        '      ? dependents.some((dependent) => naming(dependent, absent).wrong)\n',
        '      ? dependents.length < 0 && naming(node, absent).wrong\n',
      ],
    ],
  },
  {
    id: 'virtual-nodes-keep-a-name-that-is-not-served',
    why: 'If the first name of an owner cannot be resolved, the collector does not try its other names.',
    origin: 'k#92743',
    law: 'Thorough',
    edits: [
      [
        '      if (node.isVirtual && cannotTell(error)) this.#graphBuilder.tryAnother(node);\n',
        '      void cannotTell;\n',
      ],
    ],
  },
  {
    id: 'virtual-nodes-have-two-names',
    why: 'The collector alternates between two of the names that dependents use for an owner, and never tries the others.',
    origin: 'k#92743',
    law: 'Thorough',
    edits: [
      ['return others.find((name) => compareReferences(name, tried) > 0) ?? others[0];', 'return others[0];'],
    ],
  },
  {
    id: 'what-was-seen-is-presumed-absent',
    why: 'When a wrong name is not found, the owner that was observed under its correct name is removed from the graph.',
    origin: 'k#92743',
    law: 'Thorough',
    edits: [
      [
        '      : !sameReference(node.identity, absent);\n',
        '      : !sameReference(node.identity, absent) && !node;\n',
      ],
    ],
  },
  {
    id: 'virtual-nodes-never-go',
    why: 'An owner that was never observed, and that no object references any longer, stays in the graph.',
    origin:
      'kubernetes/kubernetes@v1.36.3 pkg/controller/garbagecollector/graph_builder.go removeDependentFromOwners',
    law: 'the collector forgets an owner without references',
    hidden:
      'It costs memory, but changes no object: the collector sends no request for it once it is observed or not found.',
    edits: [['      if (owner?.isVirtual && owner.dependents.size === 0) this.#graph.delete(owner);\n', '']],
  },
  {
    id: 'a-wrong-reference-is-right',
    why: 'A dependent that references the uid of an owner under a wrong name is not examined.',
    origin: 'k#72192',
    law: 'Thorough',
    edits: [
      [
        '        this.#reportInvalidNamespace(node, owner);\n        this.#attemptToDelete.add(node.uid);\n',
        '        this.#reportInvalidNamespace(node, owner);\n',
      ],
    ],
  },
  {
    id: 'a-wrong-reference-becomes-right',
    why: 'When an owner is observed under another name than its dependent uses, the dependent is not examined.',
    origin: 'k#92743',
    law: 'Thorough',
    edits: [
      [
        '      this.#reportInvalidNamespace(dependent, node);\n      this.#attemptToDelete.add(dependent.uid);\n',
        '      this.#reportInvalidNamespace(dependent, node);\n',
      ],
    ],
  },
  {
    id: 'a-lost-reference-is-no-news',
    why: 'An object stays because one of its owners could not be resolved. When it loses that reference, it is not examined again.',
    origin:
      'kubernetes/kubernetes@v1.36.3 pkg/controller/garbagecollector/graph_builder.go processGraphChanges',
    law: 'Thorough',
    edits: [
      ['    if (removed.length > 0 && node.owners.length > 0) this.#attemptToDelete.add(node.uid);\n', ''],
    ],
  },
  {
    id: 'a-reference-changes-unseen',
    why: 'A reference that keeps its uid but changes its name counts as unchanged.',
    origin: 'k#72192',
    law: 'Thorough',
    edits: [
      [
        '  sameUid(a, b) && a.name === b.name && a.kind === b.kind && a.apiVersion === b.apiVersion;',
        '  sameUid(a, b);',
      ],
    ],
  },
  {
    id: 'dependents-are-not-woken',
    why: 'When an owner is deleted, the collector does not examine its dependents.',
    origin: 'common',
    law: 'Thorough',
    edits: [
      [
        '    for (const { uid } of node.dependents) this.#attemptToDelete.add(uid);\n    for (const { uid } of node.owners)',
        '    for (const { uid } of node.owners)',
      ],
    ],
  },
  {
    id: 'ghosts-block',
    why: 'A deleted dependent still counts as a dependent.',
    origin: 'common',
    law: 'Thorough',
    edits: [['    this.#unlink(node, node.owners);\n', '']],
  },
  {
    id: 'what-was-leaving-already-is-no-news',
    why: 'An object that is already being deleted when the collector starts is not processed.',
    origin: 'k#109748',
    law: 'Thorough',
    edits: [
      ['    this.#noteDeletion(node, previous);\n', '    if (known) this.#noteDeletion(node, previous);\n'],
    ],
  },
  {
    id: 'only-the-first-owner-loses-a-dependent',
    why: 'A deleted object with two owners still counts as a dependent of the second one, which then waits for it forever.',
    origin: 'common',
    law: 'Thorough',
    edits: [
      [
        '    this.#unlink(node, node.owners);\n    if (node.dependents.size > 0)',
        '    this.#unlink(node, node.owners.slice(0, 1));\n    if (node.dependents.size > 0)',
      ],
    ],
  },
  {
    id: 'only-the-first-owner-is-woken',
    why: 'Two owners wait for one dependent; when it is deleted, the second owner is not processed again.',
    origin: 'common',
    law: 'Thorough',
    edits: [
      [
        'for (const { uid } of node.owners) this.#wakeIfWaiting(uid);',
        'for (const { uid } of node.owners.slice(0, 1)) this.#wakeIfWaiting(uid);',
      ],
    ],
  },
  {
    id: 'a-foreground-deletion-found-is-no-news',
    why: 'An owner without dependents is already being deleted in the foreground when the collector starts: it waits forever.',
    origin: 'k#115570',
    law: 'Thorough',
    edits: [
      [
        'if (!node.isDeletingDependents || isDeletingDependents(previous)) return;',
        'if (!previous || !node.isDeletingDependents || isDeletingDependents(previous)) return;',
      ],
    ],
  },
  {
    id: 'another-incarnation-is-an-update',
    why: 'After a gap in the watch, an owner is another incarnation, and the dependents of the first one stay.',
    origin: 'kubernetes/kubernetes@v1.36.3 pkg/controller/garbagecollector/graph_builder.go controllerFor',
    law: 'Thorough',
    edits: [
      [
        '        if (previous.metadata.uid !== current.metadata.uid) graphBuilder.forget(previous);\n',
        '        void previous;\n',
      ],
    ],
  },
  {
    id: 'tombstones-are-nothing',
    why: 'After a gap in the watch, a deletion is reported as a DeletedFinalStateUnknown, which the collector ignores.',
    origin: 'common',
    law: 'Thorough',
    edits: [
      [
        'onDelete: (last) => graphBuilder.forget(lastSeen(last)),',
        'onDelete: (last) => {\n        if (!(last instanceof DeletedFinalStateUnknown)) graphBuilder.forget(lastSeen(last));\n      },',
      ],
    ],
  },
  {
    id: 'begins-before-it-has-seen-all',
    why: 'The collector starts with a graph that lacks dependents, and deletes their owners first.',
    origin: 'k#88097',
    law: 'Foreground',
    edits: [
      [
        '    return [...this.#monitors.values()].every(({ registration }) => registration.hasSynced());',
        '    return [...this.#monitors.values()].some(({ registration }) => registration.hasSynced());',
      ],
    ],
  },
  {
    id: 'says-nothing-of-a-wrong-namespace',
    why: 'A dependent whose owner is in another namespace is deleted without an event.',
    origin: 'k#65200',
    law: 'Reports',
    edits: [
      [
        "    this.#recorder.event(object, 'Warning', 'OwnerRefInvalidNamespace', message);\n",
        '    void [message, this.#recorder];\n',
      ],
    ],
  },
  {
    id: 'watches-events',
    why: 'The collector lists and watches Events, which are numerous and have no owners.',
    origin:
      'kubernetes/kubernetes@v1.36.3 pkg/controller/garbagecollector/graph_builder.go DefaultIgnoredResources',
    law: 'watches every stored resource except events',
    hidden: 'It costs requests and memory, but changes no object.',
    edits: [
      [
        "const IGNORED: readonly string[] = ['events', 'events.events.k8s.io'];",
        'const IGNORED: readonly string[] = [];',
      ],
    ],
  },
];
