import type { Mistake } from '#harness/testing';

/** Levels 6 and 7 · One object, against a server */
export const requests: readonly Mistake[] = [
  {
    id: 'always-patches',
    why: 'An empty patch is sent, too: every apply writes, and every client with a watch wakes up.',
    misconception: 'You seem to believe that an empty patch costs nothing.',
    origin: 'common',
    law: 'Quiet',
    edits: [["  if (Object.keys(body).length === 0) return { action: 'nothing', warnings: said };\n", '']],
  },
  {
    id: 'equal-objects',
    why: 'An apply is unchanged only if the objects are equal: the defaults of the server make them differ.',
    misconception: 'You seem to believe that the live object looks like its manifest.',
    origin: 'common',
    law: 'Quiet',
    edits: [
      ['if (Object.keys(body).length === 0) return', 'if (equalJson(current, modified)) return'],
      [
        'import {\n  isList,\n  isObject,\n  type Json,\n  type JsonObject,\n  type Manifest,\n  type Target,\n  type ThreeWayPatch,',
        'import {\n  equalJson,\n  isList,\n  isObject,\n  type Json,\n  type JsonObject,\n  type Manifest,\n  type Target,\n  type ThreeWayPatch,',
      ],
    ],
  },
  {
    id: 'annotation-decides',
    why: 'An equal annotation counts as unchanged: drift is never corrected.',
    misconception: 'You seem to believe that an object changes only when its manifest does.',
    origin: 'k#37415',
    law: 'Manifest wins',
    edits: [
      [
        'if (Object.keys(body).length === 0) return',
        'if (original && live.metadata.annotations?.[LAST] === (modified.metadata.annotations as JsonObject)[LAST]) return',
      ],
      [
        '/** The next request for one object, and the warnings about the object. */',
        "const LAST = 'kubectl.kubernetes.io/last-applied-configuration';\n\n/** The next request for one object, and the warnings about the object. */",
      ],
    ],
  },
  {
    id: 'creates-nulls',
    why: 'A new object is created with the nulls of its manifest.',
    origin: 'k#125646',
    law: 'Creates whole',
    edits: [
      [
        "return { action: 'create', object: withoutNulls(modified), warnings: [] };",
        "return { action: 'create', object: modified, warnings: [] };",
      ],
    ],
  },
  {
    id: 'created-bare',
    why: 'A new object has no annotation: the next apply warns, and removes no field.',
    misconception: 'You seem to believe that only a patch needs a memory.',
    origin: 'common',
    law: 'Remembers',
    edits: [
      ['object: withoutNulls(modified), warnings: [] };', 'object: withoutNulls(manifest), warnings: [] };'],
    ],
  },
  {
    id: 'same-patch-again',
    why: 'A retry sends the old patch again: a field that others removed meanwhile is not restored.',
    misconception: 'You seem to believe that a conflict changes nothing about the right patch.',
    origin: 'common',
    law: 'Fresh retry',
    edits: [
      [
        'let current = live;\n  for (let retries = 0; ; retries++) {\n    const plan = planApply(target, current);',
        'let current = live;\n  const plan = planApply(target, live);\n  for (let retries = 0; ; retries++) {',
      ],
    ],
  },
  {
    id: 'no-read-again',
    why: 'A retry does not read the object again.',
    misconception: 'You seem to believe that a conflict passes by itself.',
    origin: 'common',
    law: 'Fresh retry',
    edits: [
      [
        '    current = await requests.get().catch((error: unknown) => {',
        '    current = await Promise.resolve(current).catch((error: unknown) => {',
      ],
    ],
  },
  {
    id: 'no-retry',
    why: 'A conflict is an error at once.',
    misconception: 'You seem to believe that a conflict is the problem of the user.',
    origin: 'common',
    law: 'Bounded retries',
    edits: [
      ['if (!isConflict(error) || retries === MAX_RETRIES) {', 'if (!isConflict(error) || retries >= 0) {'],
    ],
  },
  {
    id: 'retries-without-end',
    why: 'A conflict is tried again without a limit.',
    misconception: 'You seem to believe that every conflict ends.',
    origin: 'common',
    law: 'Bounded retries',
    edits: [['if (!isConflict(error) || retries === MAX_RETRIES) {', 'if (!isConflict(error)) {']],
  },
  {
    id: 'one-try-less',
    why: 'The fifth conflict is the last one.',
    origin: 'common',
    law: 'Bounded retries',
    edits: [['export const MAX_RETRIES = 5;', 'export const MAX_RETRIES = 4;']],
  },
  {
    id: 'no-pause',
    why: 'The retries follow at once: six patches hit a busy server within milliseconds.',
    misconception: 'You seem to believe that a conflict is over when you have read again.',
    origin: 'common',
    law: 'Bounded retries',
    edits: [
      [
        '    if (retries > 0) await clock.sleep(PAUSE_MS);\n',
        '    await clock.sleep(retries > 0 ? 0 : 0);\n',
      ],
    ],
  },
  {
    id: 'pauses-at-once',
    why: 'The first retry waits for a second, too.',
    origin: 'common',
    law: 'Bounded retries',
    edits: [['if (retries > 0) await clock.sleep', 'if (retries >= 0) await clock.sleep']],
  },
  {
    id: 'retries-everything',
    why: 'Every error of a patch is tried again: a refused object costs six requests.',
    misconception: 'You seem to believe that any error passes by itself.',
    origin: 'common',
    law: 'Bounded retries',
    edits: [['if (!isConflict(error) || retries === MAX_RETRIES) {', 'if (retries === MAX_RETRIES) {']],
  },
  {
    id: 'with-resource-version',
    why: 'The patch has the resourceVersion of the live object: every write by others causes a conflict, and the version in a manifest guards nothing.',
    misconception:
      'You seem to believe that a patch needs the version of the object that it was computed for.',
    origin: 'common',
    law: 'Manifest wins',
    edits: [
      [
        "const type = mapping.mergeSchema ? 'strategic' : 'merge';\n  return { action: 'patch', patch: { type, body }, warnings: said };",
        "const type = mapping.mergeSchema ? 'strategic' : 'merge';\n  const { resourceVersion } = live.metadata;\n  const metadata = { ...(body.metadata as JsonObject | undefined), resourceVersion };\n  return { action: 'patch', patch: { type, body: { ...body, metadata } }, warnings: said };",
      ],
    ],
  },
  {
    id: 'forces-always',
    why: 'A refused patch deletes the object, even without --force.',
    misconception: 'You seem to believe that a user who applies wants the object at any price.',
    origin: 'common',
    law: 'Only force deletes',
    edits: [['const isForced = options.force && !options.dryRun &&', 'const isForced = !options.dryRun &&']],
  },
  {
    id: 'forces-any-error',
    why: '--force deletes the object after any error, even if the user may not patch it.',
    misconception: 'You seem to believe that every refusal can be overcome by a new object.',
    origin: 'common',
    law: 'Only force deletes',
    edits: [
      [
        "!options.dryRun && hasReason(error, 'Conflict', 'Invalid');",
        "!options.dryRun && hasReason(error, 'Conflict', 'Invalid', 'Forbidden');",
      ],
    ],
  },
  {
    id: 'forces-invalid-only',
    why: '--force does not replace an object that is always in conflict.',
    origin: 'common',
    law: 'Only force deletes',
    edits: [
      [
        "!options.dryRun && hasReason(error, 'Conflict', 'Invalid');",
        "!options.dryRun && hasReason(error, 'Invalid');",
      ],
    ],
  },
  {
    id: 'not-restored',
    why: '--force with an object that the server refuses: the old one is deleted, and nothing takes its place.',
    misconception: 'You seem to believe that a create after a delete cannot fail.',
    origin: 'k#58984',
    law: 'Only force deletes',
    edits: [
      [
        `      await requests.create(live).catch((second: unknown) => {
        throw failures.notRestored(error, second);
      });
      throw error;`,
        '      throw live ? error : failures.notRestored(error, error);',
      ],
    ],
  },
  {
    id: 'restored-in-silence',
    why: 'If --force restores the old object, the failure of the new one is not reported.',
    origin: 'common',
    law: 'Names errors',
    edits: [
      [
        `      await requests.create(live).catch((second: unknown) => {
        throw failures.notRestored(error, second);
      });
      throw error;`,
        `      return requests.create(live).catch((second: unknown) => {
        throw failures.notRestored(error, second);
      });`,
      ],
    ],
  },
  {
    id: 'zero-timeout',
    why: 'Without a timeout, --force does not wait for the deletion: the new object cannot be created, and the old one disappears.',
    misconception: 'You seem to believe that a missing timeout means no time.',
    origin: 'k#128147',
    law: 'Only force deletes',
    edits: [['(options.timeoutMs || Number.POSITIVE_INFINITY)', '(options.timeoutMs ?? 0)']],
  },
  {
    id: 'does-not-wait',
    why: '--force creates the new object at once, although finalizers keep the old one.',
    misconception: 'You seem to believe that a deleted object is gone.',
    origin: 'common',
    law: 'Only force deletes',
    edits: [['    await untilGone(step);\n', '    if (Number.isNaN(PAUSE_MS)) await untilGone(step);\n']],
  },
  {
    id: 'asks-without-pause',
    why: '--force asks without a pause whether the object is deleted.',
    origin: 'common',
    law: 'Bounded retries',
    edits: [
      ['    await clock.sleep(Math.min(PAUSE_MS, restMs));', '    await clock.sleep(Math.min(1, restMs));'],
    ],
  },
  {
    id: 'dry-run-deletes',
    why: 'A dry run with --force deletes the object for real.',
    misconception: 'You seem to believe that only creates and patches write.',
    origin: 'k#90225',
    law: 'Level 7',
    hidden: 'The given request deletes nothing in a dry run, and the result is the same.',
    edits: [['options.force && !options.dryRun && hasReason', 'options.force && hasReason']],
  },
  {
    id: 'create-race-patches',
    why: 'A create that meets an object of another client counts as a success.',
    misconception: 'You seem to believe that an object which exists is the one of the manifest.',
    origin: 'common',
    law: 'True report',
    edits: [
      [
        'object: await requests.create(plan.object).catch(rethrowAs(failures.creating, target)),',
        "object: await requests.create(plan.object).catch((error: unknown) => {\n            if (hasReason(error, 'AlreadyExists')) return requests.get();\n            return rethrowAs(failures.creating, target)(error);\n          }),",
      ],
    ],
  },
  {
    id: 'every-error-is-absence',
    why: 'Every failed read counts as a missing object: a create follows, and its error hides the first one.',
    misconception: 'You seem to believe that a read fails only if the object is missing.',
    origin: 'common',
    law: 'Reads first',
    edits: [
      [
        'const live = await requests.find().catch(rethrowAs(failures.reading, target));',
        'const live = await requests.find().catch(() => undefined);',
      ],
    ],
  },
  {
    id: 'no-warning',
    why: 'An object without the annotation is patched without a warning.',
    origin: 'common',
    law: 'Warns',
    edits: [['  for (const warning of plan.warnings) warn(warning);\n', '']],
  },
  {
    id: 'warns-each-retry',
    why: 'The warning about the annotation is repeated with each retry.',
    origin: 'common',
    law: 'Warns',
    edits: [
      [
        "    if (plan.action !== 'patch') return { outcome: 'unchanged', object: current };",
        "    if (retries > 0) for (const warning of plan.warnings) step.warn(warning);\n    if (plan.action !== 'patch') return { outcome: 'unchanged', object: current };",
      ],
    ],
  },
  {
    id: 'no-warning-of-deletion',
    why: 'The change of an object that is being deleted is reported as if it lasted.',
    origin: 'common',
    law: 'Warns',
    edits: [
      [
        '  if (live && result.object.metadata.deletionTimestamp) warn(warnings.deleting(target.key.name));\n',
        '  if (live && !result.object) warn(warnings.deleting(target.key.name));\n',
      ],
    ],
  },
  {
    id: 'always-configured',
    why: 'Every apply of a live object is reported as configured.',
    origin: 'common',
    law: 'True report',
    edits: [
      [
        "return { outcome: 'unchanged', object: current };",
        "return { outcome: 'configured', object: current };",
      ],
    ],
  },
  {
    id: 'reports-the-old',
    why: 'The report has the object as it was before the patch.',
    origin: 'k#135513',
    law: 'True report',
    edits: [
      [
        "return { outcome: 'configured', object: await requests.patch(current, plan.patch) };",
        "await requests.patch(current, plan.patch);\n      return { outcome: 'configured', object: current };",
      ],
    ],
  },
];
