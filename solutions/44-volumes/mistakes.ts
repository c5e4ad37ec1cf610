import type { Mistake } from '#harness/testing';

/** The laws alone kill each mistake. */
export const lawsSuffice = true;

/**
 * Wrong volume managers, each made by one or two edits of the reference. `k#` is an issue or pull request of
 * kubernetes/kubernetes.
 */
export const mistakes: readonly Mistake[] = [
  {
    id: 'unknown-is-unused',
    why: 'A restarted kubelet reports that no volume is in use before it has read the disk, and a controller detaches one.',
    origin: 'k#33207',
    law: 'In use',
    edits: [
      ['if (!this.#reconciler.isRebuilt) return undefined;', 'if (!this.#reconciler.isRebuilt) return [];'],
    ],
  },
  {
    id: 'uncertain-is-unused',
    why: 'A volume counts as in use only when its driver has certainly staged it.',
    origin: 'k#101791',
    law: 'In use',
    edits: [
      [
        'const all = [...this.#devices.values(), ...wanted.filter((device) => device !== undefined)];',
        "const all = [...this.#devices.values()].filter(({ state }) => state === 'staged');\n    void wanted;",
      ],
    ],
  },
  {
    id: 'uncertain-stays',
    why: 'Only certainly mounted volumes are unmounted: the remains of a failed mount stay.',
    origin: 'k#75345',
    law: 'Exact',
    edits: [
      [
        'return !specs.has(keyOf(volume)) && this.#mayGo(volume.podUID);',
        "return volume.state === 'mounted' && !specs.has(keyOf(volume)) && this.#mayGo(volume.podUID);",
      ],
    ],
  },
  {
    id: 'released-before-it-is-known',
    why: 'The kubelet releases a pod before it has read from disk whether the pod has mounts.',
    origin: 'k#60645',
    law: 'Released',
    edits: [
      [
        'return !this.#reconciler.isRebuilt || this.#reconciler.volumesOf(podUID).length > 0;',
        'return this.#reconciler.volumesOf(podUID).length > 0;',
      ],
    ],
  },
  {
    id: 'unreadable-is-empty',
    why: 'A directory that cannot be read when the kubelet starts counts as empty.',
    origin: 'k#101791',
    law: 'Exact',
    edits: [
      [
        '    } catch {\n      return false;\n    }\n  }\n\n  async #volumesOnDisk',
        '    } catch {\n      this.#isRebuilt = true;\n      return true;\n    }\n  }\n\n  async #volumesOnDisk',
      ],
    ],
  },
  {
    id: 'orphans-are-forgotten',
    why: 'A restarted kubelet does not look for volumes of pods that were deleted while it was down.',
    origin: 'k#60645',
    law: 'Exact',
    edits: [['for (const podUID of pods) found.push(', 'for (const podUID of pods.slice(0, 0)) found.push(']],
  },
  {
    id: 'orphaned-devices-are-forgotten',
    why: 'A restarted kubelet does not look for staged volumes of pods that were deleted while it was down.',
    origin: 'k#91458',
    law: 'Exact',
    edits: [
      [
        'for (const device of devices) this.#devices',
        'for (const device of devices.slice(0, 0)) this.#devices',
      ],
    ],
  },
  {
    id: 'directory-goes-without-unmount',
    why: 'The directory of a volume is deleted while there is a mount on it.',
    origin: 'k#12210',
    law: 'Ready',
    edits: [['  await unmountBelow(files, dir);\n', '']],
  },
  {
    id: 'second-try-skips-the-driver',
    why: 'The recorded data of a volume is deleted before its driver has unpublished it, so the second attempt does not call the driver.',
    origin: 'k#16367',
    law: 'Exact',
    edits: [
      [
        '    const data = await this.#read(dir);\n    // The file',
        `    const data = await this.#read(dir);\n    await this.#files.removeAll(\`\${dir}/\${DATA}\`);\n    // The file`,
      ],
    ],
  },
  {
    id: 'second-try-skips-the-unstage',
    why: 'The recorded data of a staged volume is deleted before its driver has unstaged it, so the second attempt does not call the driver.',
    origin: 'k#16367',
    law: 'Exact',
    edits: [
      [
        '    if (await this.#read(dir)) {\n',
        `    if (await this.#read(dir)) {\n      await this.#files.removeAll(\`\${dir}/\${DATA}\`);\n`,
      ],
    ],
  },
  {
    id: 'noted-when-all-is-done',
    why: 'A volume is recorded only after its last step, so the kubelet does not know of a mount that failed halfway.',
    origin: 'k#91458',
    law: 'Exact',
    edits: [
      ['    this.#volumes.set(key, volume);\n    this.#podsOnDisk.add', '    this.#podsOnDisk.add'],
      [
        "      volume.state = 'mounted';\n",
        "      volume.state = 'mounted';\n      this.#volumes.set(key, volume);\n",
      ],
    ],
  },
  {
    id: 'device-noted-when-it-is-prepared',
    why: 'A staged volume is recorded only after the driver reports success.',
    origin: 'k#91458',
    law: 'Exact',
    edits: [
      ['      this.#devices.set(keyOfDevice(device), device);\n      volume.device', '      volume.device'],
      [
        "        device.state = 'staged';\n",
        "        device.state = 'staged';\n        this.#devices.set(keyOfDevice(device), device);\n",
      ],
    ],
  },
  {
    id: 'written-down-too-late',
    why: 'The driver of a volume is recorded after the call of the driver: a kubelet that crashes in between never undoes the call.',
    origin: 'common',
    law: 'Exact',
    edits: [
      [
        '    await this.#note(dir, { driverName, volumeHandle, volumeLifecycleMode: lifecycle });\n    await driver',
        '    await driver',
      ],
      [
        '      readonly,\n      volumeContext,\n    });\n',
        '      readonly,\n      volumeContext,\n    });\n    await this.#note(dir, { driverName, volumeHandle, volumeLifecycleMode: lifecycle });\n',
      ],
    ],
  },
  {
    id: 'forgotten-before-it-is-gone',
    why: 'A volume counts as unmounted before the unmount: if the unmount fails, it is not retried.',
    origin: 'k#113091',
    law: 'Released',
    edits: [
      [
        '      await this.#pluginOf(volume).tearDown(volumeDir(volume));\n      this.#volumes.delete(keyOf(volume));',
        '      this.#volumes.delete(keyOf(volume));\n      await this.#pluginOf(volume).tearDown(volumeDir(volume));',
      ],
    ],
  },
  {
    id: 'device-forgotten-before-it-is-gone',
    why: 'A staged volume counts as unstaged before the driver has unstaged it.',
    origin: 'k#101791',
    law: 'In use',
    edits: [
      [
        '      await this.#options.csi.unmountDevice(device);\n      this.#devices.delete(keyOfDevice(device));',
        '      this.#devices.delete(keyOfDevice(device));\n      await this.#options.csi.unmountDevice(device);',
      ],
    ],
  },
  {
    id: 'one-failure-is-the-end',
    why: 'A failed step is not retried.',
    origin: 'k#113091',
    law: 'Ready',
    edits: [
      [
        'return operation !== this.#operation || this.#clock.monotonicMs() >= this.#untilMs;',
        'return operation !== this.#operation || this.#untilMs === 0;',
      ],
    ],
  },
  {
    id: 'immutable-for-ever',
    why: 'Immutable objects are cached by name: after one is recreated under the same name, a pod still reads the old one.',
    origin: 'k#119733',
    law: 'Fresh',
    edits: [
      [
        '      return await this.#options.client.get(resource, { namespace, name });',
        `      const cache = this.#options.cache;\n      const key = \`\${noun} \${name}\`;\n      const known = cache.get(key) as T | undefined;\n      if (known) return known;\n      const got = await this.#options.client.get(resource, { namespace, name });\n      if ((got as { immutable?: boolean }).immutable) cache.set(key, got);\n      return got;`,
      ],
      [
        'export interface PayloadOptions {',
        'export interface PayloadOptions {\n  readonly cache: Map<string, unknown>;',
      ],
      ['projectedFilesPlugins({ ...options,', 'projectedFilesPlugins({ ...options, cache: new Map(),'],
    ],
  },
  {
    id: 'two-steps-to-the-new-version',
    why: 'The link to the old version is removed before the link to the new version exists: in between a container sees no files.',
    origin: 'common',
    law: 'Whole',
    edits: [
      [
        `  await files.symlink(name, \`\${dir}/\${NEW_DATA}\`);\n  await files.rename(\`\${dir}/\${NEW_DATA}\`, \`\${dir}/\${DATA}\`);`,
        `  await files.removeAll(\`\${dir}/\${DATA}\`);\n  await files.symlink(name, \`\${dir}/\${DATA}\`);`,
      ],
    ],
  },
  {
    id: 'new-version-over-the-old',
    why: 'Files are overwritten one by one: a container sees a mix of the old and the new version.',
    origin: 'common',
    law: 'Frozen subPath',
    edits: [['name: versionName(now, names) }', 'name: old ?? versionName(now, names) }']],
  },
  {
    id: 'left-link-is-in-the-way',
    why: 'A link that remains from a failed write makes every later write fail.',
    origin: 'kubernetes/kubernetes@v1.36.3',
    law: 'Ready',
    edits: [[`  await files.removeAll(\`\${dir}/\${NEW_DATA}\`);\n`, '']],
  },
  {
    id: 'mounted-once-and-never-again',
    why: 'The files of a volume that shows API objects are written when the pod starts, and never updated.',
    origin: 'common',
    law: 'Current',
    edits: [['remounts: true', 'remounts: false']],
  },
  {
    id: 'mounted-at-each-look',
    why: 'At each sync of the pod, a tmpfs is mounted again over the existing one.',
    origin: 'common',
    law: 'Exact',
    edits: [
      ['  if (await isMounted(files, dir)) return;\n', "  if (dir === '') await isMounted(files, dir);\n"],
    ],
  },
  {
    id: 'unmounts-under-containers',
    why: 'A terminated pod loses its volumes while its containers still stop.',
    origin: 'common',
    law: 'Undisturbed',
    edits: [
      [
        'return !desired.has(podUID) && !couldHaveRunningContainers(podUID);',
        'void couldHaveRunningContainers;\n    return !desired.has(podUID);',
      ],
    ],
  },
  {
    id: 'mounted-before-it-is',
    why: 'A volume counts as mounted when its last step begins.',
    origin: 'common',
    law: 'Whole',
    edits: [
      [
        "      await this.#reported(spec, 'MountVolume.SetUp'",
        "      volume.state = 'mounted';\n      await this.#reported(spec, 'MountVolume.SetUp'",
      ],
    ],
  },
  {
    id: 'sub-paths-stay',
    why: 'The subPath mounts of a pod remain when the pod is deleted.',
    origin: 'common',
    law: 'Exact',
    edits: [['      await removeSubPaths(this.#options.files, volume);\n', '']],
  },
  {
    id: 'directories-stay',
    why: "The directories of a pod's volumes are never deleted.",
    origin: 'k#60645',
    law: 'Exact',
    edits: [['for (const podUID of empty) this.#sweep(podUID);', '']],
  },
  {
    id: 'taken-from-another-pod',
    why: 'A volume is unstaged when one pod is deleted, although another pod still uses it.',
    origin: 'common',
    law: 'In turn',
    edits: [['return !isKept && ![', 'return ![']],
  },
  {
    id: 'handed-on-while-it-goes',
    why: 'A volume is staged for a pod while it is still being unstaged for the previous one.',
    origin: 'common',
    law: 'In turn',
    edits: [
      [
        "if (volume.isBusy || device?.isBusy || !volume.backOff.allows('mount')) return;",
        "if (volume.isBusy || !volume.backOff.allows('mount')) return;",
      ],
      [
        "if (volume.isBusy || device?.isBusy || !volume.backOff.allows('unmount')) return;",
        "if (volume.isBusy || !volume.backOff.allows('unmount')) return;",
      ],
    ],
  },
  {
    id: 'prepared-for-each-pod',
    why: 'A driver stages a volume for each pod, not once for the node.',
    origin: 'common',
    law: 'In turn',
    edits: [["if (device && device.state !== 'staged') {", 'if (device) {']],
  },
  {
    id: 'disk-is-emptied',
    why: 'An emptyDir is emptied at each setup, also after a restart of the kubelet.',
    origin: 'common',
    law: 'Keeps data',
    edits: [
      [
        '      await files.mkdirAll(dir, 0o777);\n      // A limit',
        '      await removeVolume(files, dir);\n      await files.mkdirAll(dir, 0o777);\n      // A limit',
      ],
    ],
  },
  {
    id: 'old-part-for-a-new-container',
    why: 'A restarted container gets the subPath mount of its previous instance.',
    origin: 'common',
    law: 'Current',
    edits: [
      [
        '    while (await isMounted(files, target)) await files.unmount(target);',
        '    if (await isMounted(files, target)) return target;',
      ],
    ],
  },
  {
    id: 'name-is-identity',
    why: 'Volumes of different pods count as the same volume if they have the same name.',
    origin: 'common',
    law: 'Ready',
    edits: [
      [
        `return \`\${podUID}/\${plugin}/\${specName}\`;`,
        `return \`\${podUID.slice(0, 0)}/\${plugin}/\${specName}\`;`,
      ],
    ],
  },
  {
    id: 'sub-paths-without-a-volume-are-forgotten',
    why: 'A restarted kubelet looks only for volumes with a directory, and a hostPath has none: its subPath mounts stay.',
    origin: 'common',
    law: 'Exact',
    edits: [
      [
        '    for (const specName of await namesIn(files, subPathsDir(podUID))) {',
        '    for (const specName of await namesIn(files, volumesDir(podUID))) {',
      ],
    ],
  },
  {
    id: 'a-volume-of-another-claim',
    why: 'Compares the name of the claim instead of its UID: a recreated claim gets the data of the one before.',
    origin: 'common: identity by name',
    law: 'Whole',
    edits: [
      [
        '  if (spec.claimRef.uid === claim.metadata.uid) return;',
        '  if (spec.claimRef.name === claim.metadata.name) return;',
      ],
    ],
  },
  {
    id: 'a-claim-that-is-not-bound',
    why: 'Mounts the volume of a claim that is not bound.',
    origin: 'common',
    law: 'Whole',
    edits: [
      [
        `  if (status.phase !== 'Bound') throw new Error('PVC is not bound');
`,
        '',
      ],
    ],
  },
];
