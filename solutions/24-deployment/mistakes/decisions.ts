/** Levels 1 to 4: the identity of each ReplicaSet, and its size. */
import type { Mistake } from '#harness/testing';

export const decisions: readonly Mistake[] = [
  // Level 1 · One template, one ReplicaSet
  {
    id: 'hash-follows-the-order-of-fields',
    why: 'The same template, with its fields in another order, gets another hash and so another ReplicaSet.',
    misconception: 'You seem to believe that equal objects list their fields in the same order.',
    origin: 'k#40415: an unstable hash gives one template two ReplicaSets',
    law: 'Level 1',
    edits: [['const text = semanticText(template) +', 'const text = JSON.stringify(template) +']],
  },
  {
    id: 'empty-and-absent-hash-apart',
    why: 'Equal templates have two hashes if one of them contains explicit empty values: with a stale cache there are two ReplicaSets.',
    misconception: 'You seem to believe that an empty value and an absent value mean different things.',
    origin: 'common: hashes the JSON as it came',
    law: 'Level 1',
    edits: [
      [
        'const text = semanticText(template) +',
        `const sorted = (value: unknown): unknown =>
    typeof value !== 'object' || value === null || Array.isArray(value)
      ? value
      : Object.fromEntries(Object.entries(value).sort().map(([key, each]) => [key, sorted(each)]));
  const text = JSON.stringify(sorted(template)) +`,
      ],
    ],
  },
  {
    id: 'hash-forgets-collisions',
    why: 'After a collision the retry uses the same name, and collides again.',
    misconception: 'You seem to believe that a name that collided once does not collide again.',
    origin: 'common',
    law: 'Level 1',
    edits: [
      [
        'computeHash(template: PodTemplateSpec, collisionCount?: number): string {',
        'computeHash(template: PodTemplateSpec): string {\n  const collisionCount = undefined;',
      ],
    ],
  },
  {
    id: 'name-is-different-each-time',
    why: 'A retry, with a stale cache, creates a second ReplicaSet.',
    misconception: 'You seem to believe that a create that you repeat needs a fresh name.',
    origin: 'k#40415',
    law: 'Level 1',
    edits: [
      [
        'const hash = computeHash(template, status.collisionCount);',
        'const hash = computeHash(template, status.collisionCount) + metadata.resourceVersion;',
      ],
    ],
  },
  {
    id: 'long-names-are-not-cut',
    why: 'A Deployment with a long name never gets a ReplicaSet: the server refuses its name.',
    misconception: 'You seem to believe that a name may have any length.',
    origin: 'upstream before 1.34: k#132560',
    law: 'Level 1',
    edits: [['name: generateReplicaSetName(deployment, hash),', "name: [metadata.name, hash].join('-'),"]],
  },
  {
    id: 'compares-templates-with-the-hash',
    why: 'The template of a ReplicaSet has one label more than that of its Deployment, so none ever matches.',
    misconception: 'You seem to believe that a ReplicaSet has exactly the template of its Deployment.',
    origin: 'common',
    law: 'Level 1',
    edits: [
      [
        '.find((replicaSet) => equalIgnoreHash(replicaSet.spec.template, spec.template));',
        '.find((replicaSet) => semanticText(replicaSet.spec.template) === semanticText(spec.template));',
      ],
    ],
  },
  {
    id: 'compares-templates-as-text',
    why: 'A template with an explicit empty list starts a rollout without any change.',
    misconception: 'You seem to believe that templates that mean the same look the same.',
    origin: 'common',
    law: 'Level 1',
    edits: [
      [
        '.find((replicaSet) => equalIgnoreHash(replicaSet.spec.template, spec.template));',
        `.find(
      (replicaSet) =>
        equalIgnoreHash(replicaSet.spec.template, spec.template) &&
        JSON.stringify(replicaSet.spec.template?.spec) === JSON.stringify(spec.template.spec),
    );`,
      ],
    ],
  },
  {
    id: 'finds-by-the-hash',
    why: 'Another release of the controller has another hash function, does not find its ReplicaSets, and restarts all pods.',
    misconception: 'You seem to believe that all releases of a controller compute the same hash.',
    origin: 'k#40415',
    law: 'Level 1',
    edits: [
      [
        '.find((replicaSet) => equalIgnoreHash(replicaSet.spec.template, spec.template));',
        '.find(({ metadata }) => metadata.labels?.[POD_TEMPLATE_HASH] === computeHash(spec.template));',
      ],
    ],
  },
  {
    id: 'newest-match-is-new',
    why: 'If two ReplicaSets have the template, the newest one wins, and the one with the pods is drained.',
    misconception: 'You seem to believe that the newest match is the ReplicaSet in use.',
    origin: 'k#40415: of several matches upstream takes the oldest, always',
    law: 'Level 1',
    edits: [
      [
        '.find((replicaSet) => equalIgnoreHash(replicaSet',
        '.findLast((replicaSet) => equalIgnoreHash(replicaSet',
      ],
    ],
  },
  {
    id: 'selector-without-the-hash',
    why: 'Each ReplicaSet of the Deployment selects the pods of all of them.',
    misconception: 'You seem to believe that ReplicaSets of one Deployment can share their pods.',
    origin: 'common',
    law: 'Made as asked',
    edits: [
      [
        'matchLabels: { ...selector.matchLabels, [POD_TEMPLATE_HASH]: hash } },',
        'matchLabels: { ...selector.matchLabels } },',
      ],
    ],
  },

  // Level 2 · Fenceposts
  {
    id: 'surge-rounds-down',
    why: 'A surge of 25 % of three replicas is 0.',
    misconception: 'You seem to believe that both limits are rounded alike.',
    origin: 'common',
    law: 'Level 2',
    edits: [
      [
        'getScaledValueFromIntOrPercent(maxSurge ?? 0, desired, true)',
        'getScaledValueFromIntOrPercent(maxSurge ?? 0, desired, false)',
      ],
    ],
  },
  {
    id: 'unavailable-rounds-up',
    why: 'maxUnavailable of 25 % allows one of three pods to be missing, which is a third.',
    misconception: 'You seem to believe that both limits are rounded alike.',
    origin: 'common',
    law: 'Stays available',
    edits: [
      [
        'getScaledValueFromIntOrPercent(maxUnavailable ?? 0, desired, false)',
        'getScaledValueFromIntOrPercent(maxUnavailable ?? 0, desired, true)',
      ],
    ],
  },
  {
    id: 'nothing-may-move',
    why: 'If both limits round to 0, no pod can be created or deleted, and the rollout never starts.',
    misconception: 'You seem to believe that a percentage of something is never nothing.',
    origin: 'common',
    law: 'Level 2',
    edits: [['maxUnavailable: stuck ? 1 : unavailable', 'maxUnavailable: unavailable']],
  },
  {
    id: 'more-missing-than-there-are',
    why: 'maxUnavailable of 10 with 5 replicas requires -5 available pods.',
    origin: 'common',
    law: 'Level 2',
    hidden: 'If all pods may be missing, a higher limit makes no difference.',
    edits: [
      [
        'return { ...posts, maxUnavailable: Math.min(posts.maxUnavailable, replicas) };',
        'return { ...posts };',
      ],
    ],
  },

  // Level 3 · Scale up the new
  {
    id: 'surge-counts-the-new-only',
    why: 'Old pods do not count, so that for a while there are twice as many pods as desired.',
    misconception: 'You seem to believe that old pods take up no room.',
    origin: 'common',
    law: 'Within budget',
    edits: [
      ['.maxSurge - getReplicaCountForReplicaSets(all);\n', '.maxSurge - (all.length < 0 ? 0 : current);\n'],
    ],
  },
  {
    id: 'surge-counts-what-is-there',
    why: 'Requested pods that do not exist yet do not count, and are requested again.',
    misconception: 'You seem to believe that a pod takes up room only once it exists.',
    origin: 'common',
    law: 'Within budget',
    edits: [
      [
        '.maxSurge - getReplicaCountForReplicaSets(all);\n',
        '.maxSurge - all.reduce((total, { status }) => total + status.replicas, 0);\n',
      ],
    ],
  },
  {
    id: 'new-fills-all-the-room',
    why: 'If the surge leaves room, the new ReplicaSet grows beyond the desired size.',
    misconception: 'You seem to believe that room is the only limit of the new ReplicaSet.',
    origin: 'common',
    law: 'Level 3',
    edits: [['(room > 0 ? Math.min(room, missing) : 0)', 'Math.max(room, 0)']],
  },
  {
    id: 'zero-is-no-size',
    why: 'A Deployment that is scaled to 0 keeps the pods of its new ReplicaSet.',
    origin: 'common',
    law: 'Level 3',
    hidden: 'With the optional parts, `scale` carries out a change of size, not the rollout.',
    edits: [['const shrinks = replicas > desired;', 'const shrinks = desired > 0 && replicas > desired;']],
  },
  {
    id: 'surge-left-in-place',
    why: 'A new ReplicaSet that is too large never shrinks.',
    misconception: 'You seem to believe that the new ReplicaSet only ever grows.',
    origin: 'common',
    law: 'Level 3',
    edits: [['const shrinks = replicas > desired;', 'const shrinks = replicas > 2 * desired + 9;']],
  },

  {
    id: 'annotations-are-replaced',
    why: "The annotations of the Deployment replace those of the new ReplicaSet: another client's annotation is lost.",
    misconception: 'You seem to believe that all annotations of a ReplicaSet come from its Deployment.',
    origin: 'common',
    law: 'Undoes no work',
    edits: [
      [
        'newReplicaSetAnnotations(deployment, before, maxRevision(old) + 1)',
        `newReplicaSetAnnotations(
    deployment,
    Object.fromEntries(Object.entries(before).filter(([key]) => key.startsWith('deployment.kubernetes.io/'))),
    maxRevision(old) + 1,
  )`,
      ],
    ],
  },

  // Level 4 · Scale down the old
  {
    id: 'budget-from-spec',
    why: 'Requested pods count as available, so that old pods are deleted before new ones are ready.',
    misconception: 'You seem to believe that a requested pod already serves.',
    origin: 'k#19299: the budget has to be computed from readiness',
    law: 'Stays available',
    edits: [
      [
        'return Math.min(status.availableReplicas ?? 0, spec.replicas);',
        'return status ? spec.replicas : 0;',
      ],
    ],
  },
  {
    id: 'ready-is-available',
    why: 'Ready pods count as available, without waiting for minReadySeconds.',
    misconception: 'You seem to believe that ready and available mean the same.',
    origin: 'common',
    law: 'Stays available',
    edits: [
      [
        'return Math.min(status.availableReplicas ?? 0, spec.replicas);',
        'return Math.min(status.readyReplicas ?? 0, spec.replicas);',
      ],
    ],
  },
  {
    id: 'believes-stale-reports',
    why: "All pods in a ReplicaSet's status count as available, including those that it must delete.",
    misconception: 'You seem to believe that a status is never older than the spec beside it.',
    origin: 'upstream: availability is what is reported, however old the report',
    law: 'Level 4',
    edits: [
      [
        'return Math.min(status.availableReplicas ?? 0, spec.replicas);',
        'return spec ? (status.availableReplicas ?? 0) : 0;',
      ],
    ],
  },
  {
    id: 'unhealthy-are-kept',
    why: 'Pods that are not ready are not deleted first: pods with a broken image block a rollback.',
    misconception: 'You seem to believe that every old pod still helps.',
    origin: 'k#67250, k#16737',
    law: 'Converges',
    edits: [
      [
        'takeInTurn(old, maxCleanupCount, (each) => each.spec.replicas - availableOf(each));',
        'takeInTurn(old, Math.min(0, maxCleanupCount), (each) => each.spec.replicas - availableOf(each));',
      ],
    ],
  },
  {
    id: 'new-unavailable-pods-are-spent',
    why: 'Crashing new pods allow old pods to be deleted.',
    misconception: 'You seem to believe that a pod that does not serve still makes another one superfluous.',
    origin: 'upstream rolling.go describes it: unavailable pods of the new ReplicaSet must not free budget',
    law: 'Level 4',
    edits: [
      [' - minAvailable(deployment) - newUnavailable;', ' - minAvailable(deployment) - 0 * newUnavailable;'],
    ],
  },
  {
    id: 'every-old-one-spends-it-all',
    why: 'The limit of missing pods applies to each old ReplicaSet, not to all of them together.',
    misconception: 'You seem to believe that only one old ReplicaSet has pods.',
    origin: 'common',
    law: 'Level 4',
    edits: [['      left -= taken;\n', '']],
  },
  {
    id: 'youngest-go-first',
    why: 'The last good ReplicaSet is drained before the one from two rollouts ago.',
    misconception: 'You seem to believe that it does not matter which old pods go first.',
    origin: 'common',
    law: 'Level 4',
    edits: [
      [
        'return takeInTurn(old, available - minAvailable(deployment), ({ spec }) => spec.replicas);',
        `const youth = (rs: ReplicaSet): string => rs.metadata.creationTimestamp;
  let left = Math.max(0, available - minAvailable(deployment));
  return scaleOrders(
    old.toSorted((a, b) => (youth(a) > youth(b) ? -1 : 1)).map((each) => {
      const taken = Math.min(left, each.spec.replicas);
      left -= taken;
      return [each, each.spec.replicas - taken];
    }),
  );`,
      ],
    ],
  },
  {
    id: 'drains-only-what-it-made',
    why: 'Adopted ReplicaSets keep their pods forever.',
    misconception: 'You seem to believe that only ReplicaSets that you created are old ones.',
    origin: 'k#42571: an old ReplicaSet that is not drained',
    law: 'Converges',
    edits: [
      [
        'const active = filterActiveReplicaSets(old);\n  const changes',
        "const active = filterActiveReplicaSets(old).filter(({ metadata }) => metadata.annotations?.['deployment.kubernetes.io/max-replicas'] !== undefined);\n  const changes",
      ],
    ],
  },
];
