import type { Mistake } from '#harness/testing';

/** Mistakes about the graph, and what it is told. */
export const graph: readonly Mistake[] = [
  {
    id: 'virtual-nodes-are-not-verified',
    why: 'An owner that was never seen is not asked for: the dependents of one that never was stay.',
    origin: 'k#109748',
    law: 'Thorough',
    edits: [['    this.#attemptToDelete.add(node.uid);\n    return node;', '    return node;']],
  },
  {
    id: 'virtual-nodes-are-verified-once',
    why: 'An owner that was there when it was asked for, and went before an informer told of it, is never asked for again.',
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
    why: 'An owner that is not found under the name that one dependent gave it is forgotten, with the dependents that name it rightly.',
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
    why: 'An owner is not asked for under its other names when it cannot be asked for under the first.',
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
    why: 'Of the names that dependents give an owner the same two are tried in turn.',
    origin: 'k#92743',
    law: 'Thorough',
    edits: [
      ['return others.find((name) => compareReferences(name, tried) > 0) ?? others[0];', 'return others[0];'],
    ],
  },
  {
    id: 'what-was-seen-is-presumed-absent',
    why: 'A wrong name is not found, and the owner that was seen under its right name goes from the graph.',
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
    why: 'An owner that was never seen, and that no object names any more, stays in the graph.',
    origin:
      'kubernetes/kubernetes@v1.36.3 pkg/controller/garbagecollector/graph_builder.go removeDependentFromOwners',
    law: 'an owner that nothing names any more is forgotten',
    hidden:
      'It costs memory, and changes no object: it is not asked for any more once it is seen or not found.',
    edits: [['      if (owner?.isVirtual && owner.dependents.size === 0) this.#graph.delete(owner);\n', '']],
  },
  {
    id: 'a-wrong-reference-is-right',
    why: 'A dependent that names the uid of an owner with a wrong name is not looked at.',
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
    why: 'An owner is seen under another name than the one that a dependent gave it, and the dependent is not looked at.',
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
    why: 'An object stays for an owner that could not be judged; it loses that reference, and is not looked at.',
    origin:
      'kubernetes/kubernetes@v1.36.3 pkg/controller/garbagecollector/graph_builder.go processGraphChanges',
    law: 'Thorough',
    edits: [
      ['    if (removed.length > 0 && node.owners.length > 0) this.#attemptToDelete.add(node.uid);\n', ''],
    ],
  },
  {
    id: 'a-reference-changes-unseen',
    why: 'A reference that keeps its uid and changes its name is taken for the same.',
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
    why: 'An owner goes, and only those are looked at that are deleted with it.',
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
    why: 'A dependent that has gone still counts as one.',
    origin: 'common',
    law: 'Thorough',
    edits: [['    this.#unlink(node, node.owners);\n', '']],
  },
  {
    id: 'what-was-leaving-already-is-no-news',
    why: 'An object that is being deleted when the collector starts is not looked at.',
    origin: 'k#109748',
    law: 'Thorough',
    edits: [
      ['    this.#noteDeletion(node, previous);\n', '    if (known) this.#noteDeletion(node, previous);\n'],
    ],
  },
  {
    id: 'another-incarnation-is-an-update',
    why: 'After a gap in the watch an owner is another one, and the dependents of the former stay.',
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
    why: 'Of what was deleted in a gap of the watch the collector is told in another form, and does not listen.',
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
    why: 'The collector begins with a graph that lacks dependents, and lets their owners go.',
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
    why: 'A dependent whose owner is in another namespace is deleted without a word.',
    origin: 'k#65200',
    law: 'Tells',
    edits: [
      [
        "    this.#recorder.event(object, 'Warning', 'OwnerRefInvalidNamespace', message);\n",
        '    void [message, this.#recorder];\n',
      ],
    ],
  },
  {
    id: 'watches-events',
    why: 'The collector lists and watches Events, of which there are many, and which nothing owns.',
    origin:
      'kubernetes/kubernetes@v1.36.3 pkg/controller/garbagecollector/graph_builder.go DefaultIgnoredResources',
    law: 'watches every resource but events',
    hidden: 'It costs requests and memory, and changes no object.',
    edits: [
      [
        "const IGNORED: readonly string[] = ['events', 'events.events.k8s.io'];",
        'const IGNORED: readonly string[] = [];',
      ],
    ],
  },
];
