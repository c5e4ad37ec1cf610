/** Errors in the decisions of Levels 4 to 6: the pass, evictions and garbage. `k#` is an issue or pull request of kubernetes/kubernetes. */
import type { Mistake } from '#harness/testing';

export const passAndPods: readonly Mistake[] = [
  // Level 4 · The pass
  {
    id: 'taints-in-the-blind',
    why: 'A controller that is cut off from all nodes taints them all.',
    misconception: 'You seem to believe that all nodes can die at once.',
    origin: 'common',
    law: 'Level 4',
    edits: [
      [
        "if (allZonesDown || ready === undefined || ready === 'True') return [];",
        "if (ready === undefined || (ready === 'True' && allZonesDown !== undefined)) return [];",
      ],
    ],
  },
  {
    id: 'always-waits',
    why: 'A node whose kubelet is back, or reports a problem, keeps the wrong taint until its turn.',
    origin: 'common',
    law: 'Level 4',
    edits: [
      [
        'if (changes.add.length > 0 && changes.remove.length === 0) return',
        'if (changes.add.length + changes.remove.length > 0) return',
      ],
    ],
  },
  {
    id: 'never-waits',
    why: 'All nodes that fail at once lose their pods at once.',
    misconception: 'You seem to believe that a taint by itself does no harm.',
    origin: 'k#88959',
    law: 'Level 4',
    edits: [
      [
        'if (changes.add.length > 0 && changes.remove.length === 0) return',
        'if (changes.add.length > 1 && changes.remove.length === 0) return',
      ],
    ],
  },
  {
    id: 'the-cached-nodes',
    why: 'The pass decides by the nodes as they were before it wrote: taints and marks come five seconds late.',
    misconception: 'You seem to trust your cache right after your own writes.',
    origin: 'k#120815: eviction is always one period late',
    law: 'Level 4',
    edits: [
      [
        'const nodes = await lifecycle.forEach(lifecycle.nodes(), (node) => checkNode(lifecycle, node));',
        'const nodes = lifecycle.nodes();\n  await lifecycle.forEach(nodes, (node) => checkNode(lifecycle, node));',
      ],
    ],
  },
  {
    id: 'marks-pods-of-a-living-kubelet',
    why: 'The controller and the kubelet of a node with a problem overwrite each other for as long as the problem lasts.',
    misconception: 'You seem to believe that a node that is not ready cannot report its pods.',
    origin: 'common',
    law: 'Level 4',
    edits: [
      [
        "if (conditionOf(node, 'Ready')?.status !== 'Unknown') return;",
        "if (conditionOf(node, 'Ready')?.status === 'True') return;",
      ],
    ],
  },
  {
    id: 'one-error-ends-the-marking',
    why: 'A pod that cannot be written keeps all pods after it ready.',
    origin: 'common',
    law: 'Level 4',
    edits: [
      [
        '      // The next pass tries again: one pod must not keep the others ready.\n',
        '      if (error instanceof Error) throw error;\n',
      ],
    ],
  },
  // Level 5 · Eviction
  {
    id: 'one-clock-for-all-taints',
    why: 'A second taint with a short toleration evicts a pod before this toleration ends.',
    misconception: 'You seem to believe that all taints of a node came at the same time.',
    origin: 'k@v1.36.3 processPodOnNode has one start for a pod',
    law: 'Level 5',
    edits: [
      [
        'return sinceMs + Math.max(0, tolerationSeconds) * 1_000;',
        'return Math.min(...taints.map((each) => each.sinceMs), sinceMs) + Math.max(0, tolerationSeconds) * 1_000;',
      ],
    ],
  },
  {
    id: 'the-longest-toleration',
    why: 'A pod that tolerates one taint for ever stays, although it tolerates the other one for a second.',
    origin: 'k#45342',
    law: 'Level 5',
    edits: [['const earliest = Math.min(...times);', 'const earliest = Math.max(...times);']],
  },
  {
    id: 'untolerated-stays',
    why: 'A pod without a toleration never leaves.',
    origin: 'common',
    law: 'Level 5',
    edits: [['if (!toleration) return sinceMs;', 'if (!toleration) return Number.POSITIVE_INFINITY;']],
  },
  {
    id: 'never-without-seconds-is-now',
    why: 'The pods of a DaemonSet, which tolerate the taint without a limit, are evicted.',
    misconception: 'You seem to believe that an absent number means 0.',
    origin: 'common',
    law: 'Level 5',
    edits: [
      [
        'const { tolerationSeconds = Number.POSITIVE_INFINITY } = toleration;',
        'const { tolerationSeconds = 0 } = toleration;',
      ],
    ],
  },
  {
    id: 'evicts-by-name',
    why: 'A pod that has the name of an evicted one is deleted in its place.',
    misconception: 'You seem to believe that a name always means the same pod.',
    origin: 'k#64923; k@v1.36.3 addConditionAndDeletePod',
    law: 'Respects the uid',
    isFirstDraft: true,
    edits: [
      [
        "const body = { metadata: { uid }, status: { conditions: [condition] } };\n    await client.patch(pods, keyOf(pod), { type: 'strategic', body }",
        "void uid;\n    const body = { status: { conditions: [condition] } };\n    await client.patch(pods, keyOf(pod), { type: 'strategic', body }",
      ],
      [
        'await client.delete(pods, keyOf(pod), { preconditions: { uid } });',
        'await client.delete(pods, keyOf(pod));',
      ],
    ],
  },
  {
    id: 'no-reason-for-the-eviction',
    why: 'Nobody can see why the pod was deleted, and a Job counts it as its own failure.',
    origin: 'k before 1.26',
    law: 'Level 5',
    edits: [
      [
        "type: 'DisruptionTarget',\n    status: 'True',\n    reason: 'DeletionByTaintManager',",
        "type: 'DisruptionTarget',\n    status: 'False',\n    reason: 'DeletionByTaintManager',",
      ],
    ],
  },
  {
    id: 'one-try',
    why: 'An eviction that is refused once is forgotten.',
    misconception: 'You seem to believe that a request fails only if it makes no sense.',
    origin: 'k#140639: given up after five attempts',
    law: 'Level 5',
    edits: [
      [
        '  } catch (error) {\n    if (!isNotFound(error)) throw error;\n  }\n}\n\nexport async function syncPod(',
        '  } catch (error) {\n    if (!isNotFound(error)) return;\n  }\n}\n\nexport async function syncPod(',
      ],
    ],
  },
  {
    id: 'evicts-again-and-again',
    why: 'A pod that is being deleted gets a second event, condition and deletion with each change.',
    origin: 'common',
    law: 'Level 5',
    edits: [['  if (pod.metadata.deletionTimestamp !== undefined) return;\n  const atMs', '  const atMs']],
  },
  {
    id: 'evicts-without-grace',
    why: 'The pod on a node that reports a problem is killed without time to finish.',
    origin: 'common',
    law: 'Explains evictions',
    edits: [
      [
        '{ preconditions: { uid } });\n  } catch (error) {\n    if (!isNotFound(error)) throw error;\n  }\n}\n\nexport async function syncPod',
        '{ preconditions: { uid }, gracePeriodSeconds: 0 });\n  } catch (error) {\n    if (!isNotFound(error)) throw error;\n  }\n}\n\nexport async function syncPod',
      ],
    ],
  },
  // Level 6 ★ · Pods without a kubelet
  {
    id: 'fails-a-pod-that-succeeded',
    why: 'A pod that has succeeded fails when its node is deleted, and its Job runs it again.',
    misconception: 'You seem to believe that a deleted node makes all of its pods fail.',
    origin: 'k#115056',
    law: 'Level 6',
    edits: [['    if (!hasEnded(pod)) {\n', '    if (pod) {\n']],
  },
  {
    id: 'collects-by-name',
    why: 'A pod that has the name of a lost one is deleted in its place.',
    origin: 'k@v1.36.3 markFailedAndDeletePodWithCondition',
    law: 'Knows garbage by uid',
    edits: [
      ['const body = { metadata: { uid }, status };', 'void uid;\n      const body = { status };'],
      ['{ gracePeriodSeconds: 0, preconditions: { uid } }', '{ gracePeriodSeconds: 0 }'],
    ],
  },
  {
    id: 'keeps-the-newest-evicted',
    why: 'Beyond the threshold the oldest pods go first, although the evicted ones tell the least.',
    origin: 'k before 1.22',
    law: 'Level 6',
    hidden: 'No run has 12,500 ended pods.',
    edits: [['    Number(isEvicted(b)) - Number(isEvicted(a)) ||\n', '    Number(isEvicted(b)) * 0 ||\n']],
  },
  {
    id: 'out-of-service-alone-is-enough',
    why: 'A pod that stops on a ready node is deleted by force while it still runs.',
    misconception: 'You seem to believe that an operator never forgets a taint.',
    origin: 'common',
    law: 'Level 6',
    edits: [
      [
        "return isOff && node !== undefined && conditionOf(node, 'Ready')?.status !== 'True';",
        'return isOff && node !== undefined && conditionOf !== undefined;',
      ],
    ],
  },
];
