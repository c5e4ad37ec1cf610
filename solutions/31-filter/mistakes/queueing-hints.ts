/** Mistakes about what wakes a pod. */
import type { Mistake } from '#harness/testing';

/** What wakes a pod. */
export const queueingHints: readonly Mistake[] = [
  {
    id: 'forgets-who-avoids-it',
    why: 'The one goes that did not want the pod near it, and the pod goes on waiting: it was asked only whom the pod avoids.',
    origin: 'k#134393',
    law: 'Wakes whom it helps',
    edits: [['const avoidedIt = before && !after ?', 'const avoidedIt = before && !before ?']],
  },
  {
    id: 'one-term-wakes-nobody',
    why: 'One of two anti-affinity terms keeps a pod away as well as both do, but only when both match it wakes.',
    origin: 'k#139161',
    law: 'Wakes whom it helps',
    edits: [
      [
        'requiredAntiAffinityTerms.some((term) => couldMatch(term, before)',
        'requiredAntiAffinityTerms.some((term) => requiredAntiAffinityTerms.every((each) => couldMatch(each, before))',
      ],
    ],
  },
  {
    id: 'the-last-goes-unheard',
    why: 'A node is drained, and the only pod of a group goes: the one that replaces it may begin anew, and is not told.',
    origin: 'k#141354',
    law: 'Wakes whom it helps',
    edits: [
      [
        'if (isSought(before) && !isSought(after) && isSought(pod))',
        'if (isSought(before) && !isSought(before) && isSought(pod))',
      ],
    ],
  },
];
