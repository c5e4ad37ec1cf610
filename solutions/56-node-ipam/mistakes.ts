import type { Mistake } from '#harness/testing';

/** The laws alone kill each mistake. */
export const lawsSuffice = true;

/**
 * Wrong controllers, each made by one or two edits of the reference. `k#` is an issue or pull request of
 * kubernetes/kubernetes.
 */
export const mistakes: readonly Mistake[] = [
  {
    id: 'only-its-own-blocks',
    why: 'Does not record the block of a node that joins with one: another node gets it, too.',
    origin: 'found by an edit of the reference',
    law: 'Disjoint',
    edits: [['if (node.spec.podCIDR) return this.#occupy(node);', 'if (node.spec.podCIDR) return;']],
  },
  {
    id: 'what-failed-was-not-done',
    why: 'A block is released after a failed write, although the write is retried: another node gets the block, too.',
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
    why: 'Blocks are counted, but not tracked by node: a node that is observed twice counts twice, until no block seems to be free.',
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
    why: 'A restarted controller allocates a block to a new node before it knows the blocks of the other nodes.',
    origin: 'k#20048',
    law: 'Disjoint',
    edits: [['    await this.#occupyAll();\n', '']],
  },
  {
    id: 'starts-from-a-cache',
    why: 'A restarted controller reads the allocated blocks from a cache, which lacks the latest allocations.',
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
    why: 'A released block is allocated at once, and packets to the previous node reach the next one.',
    origin: 'containernetworking/cni#194',
    law: 'Reuses last',
    edits: [['this.#next = (index + 1) % this.size;', 'this.#next = 0;']],
  },
  {
    id: 'tries-once',
    why: 'A failed write of a block is not retried.',
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
    why: 'A node that found no free block is not synced again when one becomes free.',
    origin: 'common',
    law: 'Served',
    edits: [
      ["throw new Error('there are no remaining CIDRs left to allocate in the accepted range');", 'return;'],
    ],
  },
  {
    id: 'services-lose-their-range',
    why: 'Pods get addresses from the range of Services.',
    origin: 'common',
    law: 'Whole',
    edits: [['      this.#cidrs.occupy(SERVICES, range);\n', '      void [SERVICES, range];\n']],
  },
];
