import type { Mistake } from '#harness/testing';

const READS = `    if (retries > 0) await clock.sleep(PAUSE_MS);
    current = await requests.get().catch((error: unknown) => {
      throw failures.applying(target, '', error);
    });
`;

/** Level 7 · After a conflict */
export const retries: readonly Mistake[] = [
  {
    id: 'restores-the-first',
    why: 'A conflict, then a refusal with --force: the object is restored as it was before the change of another client.',
    misconception: 'You seem to believe that an object does not change while you replace it.',
    origin: 'common',
    law: 'Only force deletes',
    edits: [['object: await replace(step, current) }', 'object: await replace(step, live) }']],
  },
  {
    id: 'pauses-after-the-read',
    why: 'The pause comes after the read: the patch is about an object that is a second old, and meets the next conflict.',
    misconception: 'You seem to believe that the pause gives the server time, wherever it is.',
    origin: 'common',
    law: 'Bounded retries',
    edits: [
      [
        READS,
        `    current = await requests.get().catch((error: unknown) => {
      throw failures.applying(target, '', error);
    });
    if (retries > 0) await clock.sleep(PAUSE_MS);
`,
      ],
    ],
  },
  {
    id: 'no-retry-in-a-dry-run',
    why: 'A dry run on the server gives up after a conflict: it reports an error that the apply would not have.',
    misconception: 'You seem to believe that a dry run meets no conflict.',
    origin: 'common',
    law: 'Bounded retries',
    edits: [
      [
        'if (!isConflict(error) || retries === MAX_RETRIES) {',
        'if (!isConflict(error) || options.dryRun || retries === MAX_RETRIES) {',
      ],
    ],
  },
  {
    id: 'forces-the-gone',
    why: '--force creates an object that another client has deleted after a conflict.',
    misconception: 'You seem to believe that --force wants the object, whatever others do.',
    origin: 'common',
    law: 'True report',
    edits: [
      [
        READS,
        `    if (retries > 0) await clock.sleep(PAUSE_MS);
    const found = options.force ? await requests.find() : current;
    if (!found) return { outcome: 'configured', object: await requests.create(withLastApplied(target.manifest)) };
    current = await requests.get().catch((error: unknown) => {
      throw failures.applying(target, '', error);
    });
`,
      ],
    ],
  },
  {
    id: 'names-the-first-patch',
    why: 'The error after a retry names the first patch, not the one that the server has refused.',
    origin: 'common',
    law: 'Names errors',
    edits: [
      [
        'throw failures.patching(target, encodeJson(plan.patch.body), error);',
        "const first = planApply(target, live);\n        throw failures.patching(target, encodeJson(first.action === 'patch' ? first.patch.body : {}), error);",
      ],
    ],
  },
];
