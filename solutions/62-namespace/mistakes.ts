import type { Mistake } from '#harness/testing';

/** The laws alone kill each mistake. */
export const lawsSuffice = true;

/**
 * Wrong controllers, each made by one or two edits of the reference. `k#` is an issue or pull request of
 * kubernetes/kubernetes.
 */
export const mistakes: readonly Mistake[] = [
  {
    id: 'failed-list-is-empty',
    why: 'An error of the pods counts as an empty list: everything else is deleted while pods run.',
    origin: 'found in this workbook',
    law: 'Pods first',
    edits: [['ofPods.remaining.size > 0 || ofPods.failures.length > 0', 'ofPods.remaining.size > 0']],
  },
  {
    id: 'forgets-failures',
    why: 'The namespace is finalized although some objects could not be deleted.',
    origin: 'found in this workbook',
    law: 'Never outlived',
    edits: [
      [
        'const failures = [content.discoveryFailure, ...content.failures]',
        'const failures = [content.discoveryFailure]',
      ],
    ],
  },
  {
    id: 'missing-kind-is-empty',
    why: 'A 404 of a list counts as an empty list. An apiserver that starts does not serve each kind yet.',
    origin: 'k#104748',
    law: 'Never outlived',
    edits: [
      [
        '    } catch (error) {\n      desk.signal.throwIfAborted();\n      failures.push(error);',
        '    } catch (error) {\n      desk.signal.throwIfAborted();\n      if (!isNotFound(error)) failures.push(error);',
      ],
    ],
  },
  {
    id: 'starts-at-once',
    why: 'Another apiserver admits an object after the last list, because it does not know of the deletion yet.',
    origin: 'k#36891',
    law: 'Waits',
    edits: [['queue.addAfter(metadata.name, GRACE_MS)', 'queue.add(metadata.name)']],
  },
  {
    id: 'stops-at-the-first-error',
    why: 'A kind that cannot be deleted keeps the objects of all other kinds.',
    origin: 'k#46037',
    law: 'Goes on',
    edits: [['      failures.push(error);\n', '      failures.push(error);\n      break;\n']],
  },
  {
    id: 'waits-for-ended-pods',
    why: 'The estimate counts the grace period of a pod that has ended, and the next attempt is half an hour later.',
    origin: 'k#21701',
    law: 'Disappears',
    edits: [['    .filter((pod) => !hasEnded(pod))\n', '    .filter((pod) => !hasEnded(pod) || pod)\n']],
  },
  {
    id: 'estimate-never-ends',
    why: 'The estimate stays after the grace period, so a pod on a lost node is not reported as a failure.',
    origin: 'k#71590',
    law: 'Truthful',
    edits: [
      [
        'return nowMs - deletedAtMs >= longest * 1_000 ? 0 : longest;',
        'return nowMs < deletedAtMs ? 0 : longest;',
      ],
    ],
  },
  {
    id: 'kills-pods',
    why: 'Pods get no time to stop: the controller overrides their grace period.',
    origin: 'k#14266',
    law: 'Graceful',
    edits: [
      [
        "await client.deleteCollection(resource, { ...within, propagationPolicy: 'Background' });",
        "await client.deleteCollection(resource, {\n      ...within,\n      propagationPolicy: 'Background',\n      gracePeriodSeconds: 0,\n    });",
      ],
    ],
  },
  {
    id: 'all-at-once',
    why: 'Secrets and network policies disappear while the pods still need them.',
    origin: 'k#130035',
    law: 'Pods first',
    edits: [
      [
        'ofPods.remaining.size > 0 || ofPods.failures.length > 0\n      ? ofPods\n      : await emptyAll(desk, deletableResources(found), namespace);',
        'await emptyAll(desk, [pods, ...deletableResources(found)], namespace);',
      ],
    ],
  },
  {
    id: 'removed-while-pods-remain',
    why: 'The conditions report that all content is removed while pods remain.',
    origin: 'k#138208',
    law: 'Truthful',
    edits: [
      [
        '  return { ...content, discoveryFailure };',
        '  return content === ofPods\n    ? { ...content, discoveryFailure, remaining: new Map(), finalizers: new Map() }\n    : { ...content, discoveryFailure };',
      ],
    ],
  },
  {
    id: 'discovery-stops-all',
    why: 'One aggregated API without endpoints stops the deletion of everything else.',
    origin: 'k#60807',
    law: 'Goes on',
    edits: [['found: error instanceof GroupDiscoveryFailed ? error.found : []', 'found: []']],
  },
  {
    id: 'discovery-is-complete',
    why: 'A group that discovery lacks counts as a group without objects: they outlive their namespace.',
    origin: 'k#119662',
    law: 'Never outlived',
    edits: [['[content.discoveryFailure, ...content.failures]', '[...content.failures]']],
  },
  {
    id: 'silent-about-discovery',
    why: 'The namespace stays, and no condition says that a group could not be discovered.',
    origin: 'k#66735',
    law: 'Truthful',
    edits: [
      ['    ...(discoveryFailure !== undefined && {', '    ...(discoveryFailure !== undefined && false && {'],
    ],
  },
  {
    id: 'silent-about-finalizers',
    why: 'The namespace stays for days, and no condition names the finalizer that holds an object.',
    origin: 'k#82084',
    law: 'Truthful',
    edits: [['    ...(held.length > 0 && {', '    ...(held.length > 99 && {']],
  },
  {
    id: 'counts-each-pass-anew',
    why: 'Each attempt changes the time of the conditions, so they hide since when the namespace waits.',
    origin: 'common',
    law: 'Timed',
    edits: [
      [
        'old?.status === status && old.lastTransitionTime ? old.lastTransitionTime :',
        'old?.status === "x" ? "" :',
      ],
    ],
  },
  {
    id: 'finalizers-fail',
    why: 'An object with a finalizer is reported as a failure, although another controller only needs time.',
    origin: 'common',
    law: 'Truthful',
    edits: [['(finalizers.size > 0 ? FINALIZERS_SECONDS : 0)', '0']],
  },
  {
    id: 'polls',
    why: 'The controller looks again each second, and not at half of the estimate.',
    origin: 'k3s-io/k3s#14399',
    law: 'Calm',
    edits: [['return (Math.floor(leftForSeconds / 2) + 1) * 1_000;', 'return leftForSeconds && 1_000;']],
  },
  {
    id: 'finalizes-by-update',
    why: 'An update ignores the finalizers of the spec, so the namespace never disappears.',
    origin: 'common',
    law: 'Disappears',
    edits: [['return client.finalize({ ...latest,', 'return client.update(namespaces, { ...latest,']],
  },
  {
    id: 'removes-all-finalizers',
    why: 'The finalizer of another controller is removed before that controller has cleaned up.',
    origin: 'common',
    law: 'Own finalizer',
    edits: [['.filter((each) => each !== FINALIZER).toSorted()', '.filter((each) => each === "")']],
  },
  {
    id: 'trusts-the-cache',
    why: 'A namespace of the same name is emptied, because the cache still has the deleted one.',
    origin: 'common',
    law: 'Only the deleted',
    edits: [
      [
        'const namespace = await desk.client.get(namespaces, { name }, desk);',
        'const namespace = (desk as never as { cached: (name: string) => Namespace | undefined }).cached(name) ?? (await desk.client.get(namespaces, { name }, desk));',
      ],
      [
        'await syncNamespace(context, name);',
        'await syncNamespace({ ...context, cached: (each: string) => informer.indexer.getByKey(each) } as never, name);',
      ],
    ],
  },
  {
    id: 'one-by-one-only',
    why: 'A kind without the verb deletecollection is skipped, and its objects stay.',
    origin: 'common',
    law: 'Never outlived',
    edits: [
      [
        "      verbsOf(resource).includes('delete') &&",
        "      verbsOf(resource).includes('deletecollection') &&",
      ],
    ],
  },
  {
    id: 'never-again',
    why: 'The controller does not try again while content remains: nobody writes the namespace.',
    origin: 'common',
    law: 'Disappears',
    edits: [
      [
        'if (leftForSeconds > 0) queue.addAfter(name, retryAfterMs(leftForSeconds));',
        'if (leftForSeconds > 0) context.log(String(retryAfterMs(leftForSeconds)));',
      ],
    ],
  },
  {
    id: 'looks-for-ever',
    why: 'A key comes back after each attempt, also when its namespace is gone: the queue only ever grows.',
    origin: 'common',
    law: 'Quiet',
    edits: [
      [
        '      if (leftForSeconds > 0) queue.addAfter(name, retryAfterMs(leftForSeconds));',
        '      queue.addAfter(name, leftForSeconds > 0 ? retryAfterMs(leftForSeconds) : 20_000);',
      ],
    ],
  },
];
