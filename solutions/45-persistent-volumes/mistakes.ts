import type { Mistake } from '#harness/testing';

/** The laws alone kill each mistake. */
export const lawsSuffice = true;

/**
 * Wrong controllers, each made by one or two edits of the reference. `k#` is an issue or pull request of
 * kubernetes/kubernetes.
 */
export const mistakes: readonly Mistake[] = [
  {
    id: 'last-writer-wins',
    why: 'The write that gives a volume to a claim has no resourceVersion: of two claims, the second one takes the volume, too.',
    origin: 'k#16432',
    law: 'Exclusive',
    edits: [
      [
        'const saved = await this.#client.update(persistentVolumes, volume);',
        'const { resourceVersion: _, ...metadata } = volume.metadata;\n    const saved = await this.#client.update(persistentVolumes, { ...volume, metadata });',
      ],
    ],
  },
  {
    id: 'a-name-is-enough',
    why: 'A claim that is created again under its name gets the volume of the deleted one, with its data.',
    origin: 'k#23615',
    law: 'Exclusive',
    edits: [['return !claimRef.uid || claimRef.uid === uid;', 'return uid !== undefined;']],
  },
  {
    id: 'reserved-is-free',
    why: 'A volume that is reserved for one claim goes to any other claim that fits.',
    origin: 'k#23615',
    law: 'Exclusive',
    edits: [['!volume.spec.claimRef &&', '!volume.spec.claimRef?.uid &&']],
  },
  {
    id: 'claim-first',
    why: 'The claim names its volume before the volume refers to the claim: a crash in between leaves a claim that relies on nothing.',
    origin: 'k#14537',
    law: 'In order',
    edits: [
      [
        "const taken = await this.#bindVolumeToClaim(volume, claim);\n    const bound = await this.updateVolumePhase(taken, 'Bound');\n    const named = await this.#bindClaimToVolume(claim, bound);",
        "const named = await this.#bindClaimToVolume(claim, volume);\n    const taken = await this.#bindVolumeToClaim(volume, named);\n    const bound = await this.updateVolumePhase(taken, 'Bound');",
      ],
    ],
  },
  {
    id: 'status-first',
    why: 'The claim is Bound before it has the mark of a completed binding.',
    origin: 'common',
    law: 'In order',
    edits: [
      [
        "const named = await this.#bindClaimToVolume(claim, bound);\n    await this.updateClaimStatus(named, 'Bound', bound);",
        "const named = await this.updateClaimStatus(claim, 'Bound', bound);\n    await this.#bindClaimToVolume(named, bound);",
      ],
    ],
  },
  {
    id: 'first-that-fits',
    why: 'A claim gets the first volume that is large enough, and a small claim takes the largest one.',
    origin: 'kubernetes-sigs/sig-storage-local-static-provisioner#150',
    law: 'Best fit',
    edits: [
      [
        '.filter((volume) => isFree(volume, claim)).sort(byModesAndCapacity)',
        '.filter((volume) => isFree(volume, claim))',
      ],
    ],
  },
  {
    id: 'reserved-is-large-enough',
    why: 'The size of a reserved volume is not checked: the claim gets less than it requests.',
    origin: 'k#30690',
    law: 'Best fit',
    edits: [
      [
        'capacityOf(volume).cmp(requestOf(claim)) >= 0 &&',
        '(volume.spec.claimRef || capacityOf(volume).cmp(requestOf(claim)) >= 0) &&',
      ],
    ],
  },
  {
    id: 'reserved-comes-last',
    why: 'A reserved volume competes with all others: the claim gets another volume, and the reserved one stays unused.',
    origin: 'k#30522',
    law: 'Best fit',
    edits: [
      [
        'if (reserved) return reserved;\n  if (delayBinding)',
        'if (reserved && delayBinding) return reserved;\n  if (delayBinding)',
      ],
      ['const [best] = usable.filter(', 'const [best = reserved] = usable.filter('],
    ],
  },
  {
    id: 'selector-is-a-wish',
    why: 'A claim with a selector gets any volume of its class.',
    origin: 'common',
    law: 'Best fit',
    edits: [['&&\n    isSelected(volume, claim)', '&&\n    (isSelected(volume, claim) || true)']],
  },
  {
    id: 'cache-says-gone',
    why: 'A claim that the cache does not have counts as deleted: its volume is released, and its data deleted.',
    origin: 'k#48081',
    law: 'Keeps data',
    edits: [['if (isReleased(volume)) return undefined;', 'if (!known) return undefined;']],
  },
  {
    id: 'cache-has-another',
    why: 'The cache has an older claim of the same name, so the volume of the new claim is released.',
    origin: 'k#105131',
    law: 'Keeps data',
    edits: [
      ['if (isReleased(volume)) return undefined;', 'if (known || isReleased(volume)) return undefined;'],
    ],
  },
  {
    id: 'retain-is-ignored',
    why: 'The data of a released volume is deleted although the policy is Retain.',
    origin: 'common',
    law: 'Keeps data',
    edits: [["if (policy === 'Retain' || volume", 'if (volume']],
  },
  {
    id: 'asks-only-the-cache',
    why: 'The protection of claims looks for pods in its cache only: a pod that the cache lacks loses its claim.',
    origin: 'k#75980',
    law: 'Protected',
    edits: [['return (await livePods(client, claim)).some(uses);', 'return livePods === undefined;']],
  },
  {
    id: 'bound-may-go',
    why: 'A volume that is deleted disappears at once, although a claim has it.',
    origin: 'k#23886',
    law: 'Protected',
    edits: [["isUsed: async ({ status }) => status.phase === 'Bound',", 'isUsed: async () => false,']],
  },
  {
    id: 'masked-by-a-namesake',
    why: 'A pod takes the name of a deleted one while no watch is open, and the claims of the first pod are never let go.',
    origin: 'k#80475',
    law: 'At rest',
    edits: [['if (previous.metadata.uid !== pod.metadata.uid) enqueueClaimsOf(previous);', '']],
  },
  {
    id: 'does-not-wait',
    why: 'The scheduler binds the pod as soon as it has requested the volumes.',
    origin: 'common',
    law: 'Pods wait',
    edits: [['await this.#untilBound(pod, volumes, this.#objects);', '']],
  },
  {
    id: 'any-node-will-do',
    why: 'The scheduler ignores on which nodes a bound volume can be used.',
    origin: 'k#65131',
    law: 'Pods wait',
    edits: [
      [
        'if (taken.some((volume) => volume && !canBeUsedOn(volume, node))) reasons.push(NODE_CONFLICT);',
        'void NODE_CONFLICT;',
      ],
    ],
  },
  {
    id: 'deaf-to-claims',
    why: 'A change of a claim wakes no pod: a pod that waits for its claim waits five minutes.',
    origin: 'k#73305',
    law: 'At rest',
    edits: [["...on('PersistentVolumeClaim', ['Add', 'Update'], isOwnClaim),", '']],
  },
  {
    id: 'waits-for-a-node',
    why: 'The selected node of a claim is gone, and the provisioner does not return the claim to the scheduler.',
    origin: 'k#112347',
    law: 'At rest',
    edits: [
      ['await this.#client.update(persistentVolumeClaims, withoutAnnotation(claim, SELECTED_NODE));', ''],
    ],
  },
  {
    id: 'surplus-stays',
    why: 'A volume that refers to a claim with another volume is never released.',
    origin: 'k#14537',
    law: 'At rest',
    edits: [['await writes.unbindVolume(volume);', '']],
  },
  {
    id: 'loss-is-not-reported',
    why: 'A claim whose volume was deleted still says Bound.',
    origin: 'k#23886',
    law: 'At rest',
    edits: [["if (claim.status.phase === 'Lost') return;", "if (claim.status.phase !== 'Pending') return;"]],
  },
  {
    id: 'fails-again-and-again',
    why: 'A volume that cannot be deleted goes from Failed to Released and back, without end.',
    origin: 'common',
    law: 'Quiet',
    edits: [
      [
        'await this.#reclaim(isReleased(volume) ? volume :',
        "await this.#reclaim(volume.status.phase === 'Released' ? volume :",
      ],
    ],
  },
];
