import type { Mistake } from '#harness/testing';

/** Each of them dies of the laws alone. */
export const lawsSuffice = true;

/**
 * Controllers that are wrong, each by a change or two of the reference. `k#` is an issue or pull request of
 * kubernetes/kubernetes.
 */
export const mistakes: readonly Mistake[] = [
  {
    id: 'what-failed-was-not-done',
    why: 'A block whose write failed is given back at once, and written again all the same: another node gets it, too.',
    origin: 'kubernetes-sigs/cloud-provider-azure#4556',
    law: 'Disjoint',
    edits: [
      [
        'if (tries < PATCH_TRIES) continue;',
        'if (tries < PATCH_TRIES) {\n          this.#cidrs.release(uid);\n          continue;\n        }',
      ],
    ],
  },
  {
    id: 'counts-twice',
    why: 'What is taken is counted and not known: a node that is seen twice counts twice, until nothing seems to be left.',
    origin: 'k#96416',
    law: 'Served',
    edits: [
      ['  #next = 0;\n', '  #next = 0;\n  #used = 0;\n'],
      [
        '    if (mine !== undefined) return this.#block(mine);\n',
        '    if (mine !== undefined) return this.#block(mine);\n    if (this.#used >= this.size) return undefined;\n',
      ],
      ['    this.release(holder);\n', '    this.release(holder);\n    this.#used++;\n'],
    ],
  },
  {
    id: 'gives-before-it-looks',
    why: 'A controller that starts gives a new node a block before it knows which blocks there are.',
    origin: 'k#20048',
    law: 'Disjoint',
    edits: [['    await this.#occupyAll();\n', '']],
  },
  {
    id: 'starts-from-a-cache',
    why: 'A controller that starts reads from a cache which nodes have blocks. The cache lacks what was given a moment ago.',
    origin: 'common',
    law: 'Disjoint',
    edits: [
      [
        'const { items } = await client.list(nodes, { signal });',
        "const { items } = await client.list(nodes, { signal, resourceVersion: '0' });",
      ],
    ],
  },
  {
    id: 'lowest-first',
    why: 'A block goes to the next node as soon as it comes back, and meets packets for the last one.',
    origin: 'containernetworking/cni#194',
    law: 'Last',
    edits: [['this.#next = (index + 1) % this.size;', 'this.#next = 0;']],
  },
  {
    id: 'tries-once',
    why: 'A node whose block could not be written is not tried again.',
    origin: 'common',
    law: 'Served',
    edits: [
      [
        "        this.#tell(node, 'CIDRAssignmentFailed');\n        throw error;",
        "        this.#tell(node, 'CIDRAssignmentFailed');\n        return void error;",
      ],
    ],
  },
  {
    id: 'waits-for-nothing',
    why: 'A node that found no block is not looked at again when there is one.',
    origin: 'common',
    law: 'Served',
    edits: [
      ["throw new Error('there are no remaining CIDRs left to allocate in the accepted range');", 'return;'],
    ],
  },
  {
    id: 'services-lose-their-range',
    why: 'Pods get addresses that Services may have.',
    origin: 'common',
    law: 'Whole',
    edits: [['      this.#cidrs.occupy(SERVICES, range);\n', '      void [SERVICES, range];\n']],
  },
];
