import type { Mistake } from '#harness/testing';

/** Wrong about Level 7: stop. */
export const level7: readonly Mistake[] = [
  {
    id: 'hook-on-top-of-the-grace-period',
    why: 'Gives a container all of its time after its hook has run.',
    origin: 'k#115817',
    law: 'Ends in time',
    edits: [
      [
        'if (seconds > 0) seconds -= await interruptible(signal, parts.steps.preStop(of, id, seconds));',
        'if (seconds > 0) await interruptible(signal, parts.steps.preStop(of, id, seconds));',
      ],
    ],
  },
  {
    id: 'hook-for-ever',
    why: 'Waits for a hook however long it takes.',
    origin: 'common',
    law: 'Level 7',
    edits: [['parts.steps.preStop(of, id, seconds));', 'parts.steps.preStop(of, id, 1e6));']],
  },
  {
    id: 'nothing-is-left-after-the-hook',
    why: 'Kills a container at once when its hook has used up its time.',
    origin: 'common',
    law: 'Gives time',
    edits: [['Math.max(MINIMUM_GRACE_SECONDS, seconds)', 'Math.max(0, seconds)']],
  },
  {
    id: 'one-after-another',
    why: 'Stops one container after the other: each waits for the time of all before it.',
    origin: 'common',
    law: 'Level 7',
    edits: [[`await Promise.all(containers.map(kill));`, `for (const each of containers) await kill(each);`]],
  },
  {
    id: 'sandbox-is-left',
    why: 'Stops the containers, and not the sandbox: its address is never given back.',
    origin: 'common',
    law: 'Level 7',
    edits: [['for (const id of sandboxIDs) result', 'for (const id of sandboxIDs.slice(1)) result']],
  },
  {
    id: 'kill-failed-is-killed',
    why: 'Takes a pod for ended though its containers or its sandbox could not be stopped.',
    origin: 'k#113091',
    law: 'Level 7',
    edits: [['    throw error;\n  }\n  parts.probes.removePod(pod);', '  }\n  parts.probes.removePod(pod);']],
  },
  {
    id: 'end-without-exit-codes',
    why: 'Tells how a pod was before it was stopped, and not how it has ended.',
    origin: 'common',
    law: 'Level 7',
    edits: [
      ['parts.generateAPIPodStatus(pod, last, { podIsTerminal: true })', 'status'],
      [
        'parts.generateAPIPodStatus(pod, podStatus, { podIsTerminal: true })',
        'parts.generateAPIPodStatus(pod, podStatus)',
      ],
    ],
  },
  {
    id: 'address-is-lost',
    why: 'Tells of the end of a pod without the address that it had.',
    origin: 'common',
    law: 'Level 7',
    edits: [
      [
        `const last = await parts.steps.podStatusAfterKill(pod, podStatus);`,
        `const last = await parts.readPodStatus(pod);`,
      ],
      [
        `parts.generateAPIPodStatus(pod, podStatus, {`,
        `parts.generateAPIPodStatus(pod, { ...podStatus, ips: [] }, {`,
      ],
    ],
  },
  {
    id: 'shorter-is-too-late',
    why: 'Goes on waiting for the longer grace period when a second delete asks for a shorter one.',
    origin: 'k#113717',
    law: 'Level 7',
    edits: [
      [
        'runningPod(pod, podStatus), { graceSeconds, signal });',
        'runningPod(pod, podStatus), { graceSeconds });',
      ],
    ],
  },
  {
    id: 'never-lets-go',
    why: 'Does not say that all is done: the pod stays in the API, Terminating.',
    origin: 'common',
    law: 'At rest',
    edits: [['  parts.statuses.terminatePod(pod);\n', '']],
  },
  {
    id: 'removes-what-it-stops',
    why: 'Removes the sandbox of a pod that has ended: its containers go with it, and nothing can be looked at.',
    origin: 'common',
    law: 'Keeps the newest',
    edits: [
      [
        `await stopSandbox(parts, id)`,
        `await failureOf('KillPodSandboxError', parts.context.host.runtime.removePodSandbox(id))`,
      ],
    ],
  },
  {
    id: 'probe-has-no-time-of-its-own',
    why: 'Gives a container whose probe has failed the time of its pod, and not that of the probe.',
    origin: 'common',
    law: 'Level 7 · Stop > gives a container whose probe has failed',
    edits: [
      [
        'terminationGracePeriod(of.pod, of.container, reason)',
        'terminationGracePeriod(of.pod, of.container, undefined)',
      ],
    ],
  },
];
