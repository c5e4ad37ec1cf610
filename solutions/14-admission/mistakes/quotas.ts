import type { Mistake } from '#harness/testing';

/** Mistakes of quotas. */
export const quotas: readonly Mistake[] = [
  {
    id: 'charges-in-full',
    why: 'An update of a claim is charged as if the claim were new.',
    misconception: 'You seem to believe that each accepted request uses more.',
    origin: 'common',
    law: 'Charged once',
    edits: [
      [
        'const delta = isCharged ? subtractToZero(usage, oldUsage) : usage;',
        'const delta = isCharged ? usage : usage;',
      ],
    ],
  },
  {
    id: 'moves-for-free',
    why: 'A pod that enters the scope of a quota by an update is never counted.',
    misconception: 'You seem to believe that an object stays in the scope of a quota.',
    origin: 'kubernetes/kubernetes#73698',
    law: 'Never under-counted',
    edits: [
      [
        'const isCharged = oldUsage !== undefined && request.wasCountedBy(quota);',
        'const isCharged = oldUsage !== undefined;',
      ],
    ],
  },
  {
    id: 'stops-everything',
    why: 'Usage of one resource above its limit blocks requests for all others.',
    misconception: 'You seem to believe that a full quota is full for every resource.',
    origin: 'common',
    law: 'Charged once',
    edits: [['namesAbove(onlyNames(total, Object.keys(charge)), hard)', 'namesAbove(total, hard)']],
  },
  {
    id: 'no-compare',
    why: 'Two apiservers admit the last place, because the second write overwrites the first.',
    misconception: 'You seem to believe that nobody else writes a quota between your read and your write.',
    origin: 'kubernetes/kubernetes#24494',
    law: 'Within quota',
    edits: [
      [
        'await store.writeStatus(quota);',
        "await store.writeStatus({ ...quota, metadata: { ...quota.metadata, resourceVersion: '' } });",
      ],
    ],
  },
  {
    id: 'ignores-the-conflict',
    why: 'A conflict counts as success, so the pod is stored and not counted.',
    misconception: 'You seem to believe that a write with a conflict has had its effect.',
    origin: 'common',
    law: 'Never under-counted',
    edits: [['if (retries === 0) throw lastError;', 'if (lastError) return;']],
  },
  {
    id: 'gives-in',
    why: 'After the last conflict the pod is stored and not counted.',
    misconception: 'You seem to believe that a request may go on after enough tries.',
    origin: 'common',
    law: 'Never under-counted',
    edits: [['if (retries === 0) throw lastError;', 'if (retries === 0) return;']],
  },
  {
    id: 'hides-the-conflict',
    why: 'After the last conflict the client gets a 403, so it does not try again.',
    misconception: 'You seem to believe that every refusal by a quota is final.',
    origin: 'common',
    law: 'Charged once',
    edits: [['if (retries === 0) throw lastError;', "if (retries === 0) throw new Refusal('try again');"]],
  },
  {
    id: 'gives-up',
    why: 'One conflict refuses a request that has room.',
    misconception: 'You seem to believe that a conflict means that the quota is full.',
    origin: 'common',
    law: 'Charged once',
    edits: [['export const QUOTA_RETRIES = 3;', 'export const QUOTA_RETRIES = 0;']],
  },
  {
    id: 'tries-twice',
    why: 'The second conflict refuses a request that has room.',
    origin: 'common',
    law: 'Charged once',
    edits: [['export const QUOTA_RETRIES = 3;', 'export const QUOTA_RETRIES = 1;']],
  },
  {
    id: 'charges-again',
    why: 'A conflict of one quota charges the others once more.',
    misconception: 'You seem to believe that a conflict undoes the other writes.',
    origin: 'kubernetes/kubernetes#133274',
    law: 'Charged once',
    edits: [['quotas = await store.reread(failed);', 'quotas = await store.list();']],
  },
  {
    id: 'dry-run-charges',
    why: 'A dry run uses up the quota.',
    misconception: 'You seem to believe that only the object itself is stored.',
    origin: 'common',
    law: 'Dry run',
    edits: [['    if (request.dryRun) return;\n', '']],
  },
  {
    id: 'dry-run-passes',
    why: 'A dry run accepts what the quota has no room for.',
    misconception: 'You seem to believe that a request without effects needs no check.',
    origin: 'common',
    law: 'Charged once',
    edits: [
      ['    if (request.dryRun) return;\n', ''],
      [
        '  let quotas = await store.list();',
        '  if (request.dryRun) return;\n  let quotas = await store.list();',
      ],
    ],
  },
  {
    id: 'charges-before-it-knows',
    why: 'The first quota is charged, although the second one refuses.',
    misconception: 'You seem to believe that quotas refuse independently of each other.',
    origin: 'common',
    law: 'No trace',
    edits: [
      [
        'const charged = counting.map((quota) => withCharge(quota, chargeOf(request, quota)));\n    if (request.dryRun) return;',
        'const charged = counting.map((quota) => withCharge(quota, {}));\n    if (request.dryRun) for (const quota of counting) withCharge(quota, chargeOf(request, quota));\n    if (request.dryRun) return;',
      ],
      [
        'if (quota === counting[i]) continue;',
        'const next = withCharge(counting[i] as ResourceQuota, chargeOf(request, quota));\n      if (next === quota) continue;',
      ],
      ['await store.writeStatus(quota);', 'await store.writeStatus(next);'],
    ],
  },
  {
    id: 'requires-nothing',
    why: 'A pod without requests passes a quota of CPU.',
    misconception: 'You seem to believe that a pod without requests uses nothing.',
    origin: 'common',
    law: 'Charged once',
    edits: [['if (why) throw new Refusal(why);', "if (why === '') throw new Refusal(why);"]],
  },
  {
    id: 'first-quota',
    why: 'Only the first quota of a namespace counts.',
    misconception: 'You seem to believe that a namespace has one quota.',
    origin: 'common',
    law: 'Within quota',
    edits: [
      [
        'quotas.filter((quota) => request.isCountedBy(quota));',
        'quotas.filter((quota) => request.isCountedBy(quota)).slice(0, 1);',
      ],
    ],
  },
  {
    id: 'all-quotas',
    why: 'A quota counts pods outside its scope.',
    misconception: 'You seem to believe that a quota counts every object of its namespace.',
    origin: 'common',
    law: 'Charged once',
    edits: [
      [
        'quotas.filter((quota) => request.isCountedBy(quota));',
        'quotas.filter((quota) => request.isCountedBy(quota) || quota.spec.scopes !== undefined);',
      ],
    ],
  },
];
