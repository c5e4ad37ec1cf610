import type { Mistake } from '#harness/testing';

/** Each of them dies of the laws alone. */
export const lawsSuffice = true;

/**
 * Volume managers that are wrong, each by a change or two of the reference. `k#` is an issue or pull request of
 * kubernetes/kubernetes.
 */
export const mistakes: readonly Mistake[] = [
  {
    id: 'unknown-is-unused',
    why: 'A kubelet that does not know yet what is mounted says that no volume is in use, and a controller detaches one.',
    origin: 'k#33207',
    law: 'In use',
    edits: [
      ['if (!this.#reconciler.isRebuilt) return undefined;', 'if (!this.#reconciler.isRebuilt) return [];'],
    ],
  },
  {
    id: 'uncertain-is-unused',
    why: 'A volume counts as in use only when it is certain that its driver has prepared it.',
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
    why: 'Only what is certainly mounted is taken away: a mount that failed half-way stays.',
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
    why: 'A kubelet lets a pod go that it does not know to have mounts, before it has read from disk what is mounted.',
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
    why: 'A directory that cannot be read when the kubelet starts is taken for an empty one.',
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
    why: 'A kubelet that starts does not look for volumes of pods that went while it was away.',
    origin: 'k#60645',
    law: 'Exact',
    edits: [['for (const podUID of pods) found.push(', 'for (const podUID of pods.slice(0, 0)) found.push(']],
  },
  {
    id: 'orphaned-devices-are-forgotten',
    why: 'A kubelet that starts does not look for what drivers have prepared for pods that went while it was away.',
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
    why: 'The directory of a volume is removed while something is mounted on it.',
    origin: 'k#12210',
    law: 'Ready',
    edits: [['  await unmountBelow(files, dir);\n', '']],
  },
  {
    id: 'second-try-skips-the-driver',
    why: 'What was written down of a volume is removed before its driver has undone it: the second try asks no driver.',
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
    why: 'What was written down of a prepared volume is removed before its driver has undone that: the second try asks no driver.',
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
    why: 'That a volume may be mounted is noted only after its last step: one that failed half-way is not known.',
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
    why: 'That a driver may have prepared a volume is noted only after it said so.',
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
    why: 'Which driver a volume is of is written down after the driver was asked: a kubelet that dies in between never undoes it.',
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
    why: 'A volume counts as unmounted before it is: when the unmount fails, no second try follows.',
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
    why: 'What a driver prepared counts as undone before it is.',
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
    why: 'A step that has failed once is not tried again.',
    origin: 'k#113091',
    law: 'Ready',
    edits: [
      [
        'return operation !== this.#operation || this.#clock.now() >= this.#untilMs;',
        'return operation !== this.#operation || this.#untilMs === 0;',
      ],
    ],
  },
  {
    id: 'immutable-for-ever',
    why: 'An immutable object is remembered by its name: a pod reads the old one after another was made under that name.',
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
    why: 'The link to the old version is removed before there is one to the new: in between a container sees no file.',
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
    why: 'Files are overwritten one after the other: a container sees some of the old version beside some of the new.',
    origin: 'common',
    law: 'Still',
    edits: [['name: versionName(now, names) }', 'name: old ?? versionName(now, names) }']],
  },
  {
    id: 'left-link-is-in-the-way',
    why: 'A link that a write left behind when it failed is in the way of each later write.',
    origin: 'kubernetes/kubernetes@v1.36.3',
    law: 'Ready',
    edits: [[`  await files.removeAll(\`\${dir}/\${NEW_DATA}\`);\n`, '']],
  },
  {
    id: 'mounted-once-and-never-again',
    why: 'What a volume shows of the API is written when the pod starts, and never again.',
    origin: 'common',
    law: 'Current',
    edits: [['remounts: true', 'remounts: false']],
  },
  {
    id: 'mounted-at-each-look',
    why: 'Memory is mounted again each time the kubelet looks at the pod, over what is mounted there.',
    origin: 'common',
    law: 'Exact',
    edits: [
      ['  if (await isMounted(files, dir)) return;\n', "  if (dir === '') await isMounted(files, dir);\n"],
    ],
  },
  {
    id: 'unmounts-under-containers',
    why: 'A pod that is not to run any more loses its volumes while its containers still stop.',
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
        "      await this.#told(spec, 'MountVolume.SetUp'",
        "      volume.state = 'mounted';\n      await this.#told(spec, 'MountVolume.SetUp'",
      ],
    ],
  },
  {
    id: 'sub-paths-stay',
    why: 'Parts of volumes that containers mounted are left when the pod goes.',
    origin: 'common',
    law: 'Exact',
    edits: [['      await removeSubPaths(this.#options.files, volume);\n', '']],
  },
  {
    id: 'directories-stay',
    why: 'The directories that held the volumes of a pod are left for ever.',
    origin: 'k#60645',
    law: 'Exact',
    edits: [['for (const podUID of empty) this.#sweep(podUID);', '']],
  },
  {
    id: 'taken-from-another-pod',
    why: 'What a driver prepared is undone when one pod goes, and another pod still uses the volume.',
    origin: 'common',
    law: 'In turn',
    edits: [['return !isKept && ![', 'return ![']],
  },
  {
    id: 'handed-on-while-it-goes',
    why: 'A volume is prepared for a pod while it is still taken away from the one before.',
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
    why: 'A driver is asked to prepare a volume for each pod, and not once for the node.',
    origin: 'common',
    law: 'In turn',
    edits: [["if (device && device.state !== 'staged') {", 'if (device) {']],
  },
  {
    id: 'disk-is-emptied',
    why: 'An emptyDir is emptied whenever it is set up, also after the kubelet was restarted.',
    origin: 'common',
    law: 'Keeps',
    edits: [
      [
        '      await files.mkdirAll(dir, 0o777);\n      // A limit',
        '      await removeVolume(files, dir);\n      await files.mkdirAll(dir, 0o777);\n      // A limit',
      ],
    ],
  },
  {
    id: 'old-part-for-a-new-container',
    why: 'A container that starts anew gets the part of a volume that the one before had.',
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
    why: 'Volumes of different pods are taken for one when they have the same name.',
    origin: 'common',
    law: 'Ready',
    edits: [
      [
        `return \`\${podUID}/\${plugin}/\${specName}\`;`,
        `return \`\${podUID.slice(0, 0)}/\${plugin}/\${specName}\`;`,
      ],
    ],
  },
];
