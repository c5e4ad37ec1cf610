import type { Mistake } from '#harness/testing';

/** Mistakes of Level 7: termination. */
export const level7: readonly Mistake[] = [
  {
    id: 'hook-on-top-of-the-grace-period',
    why: 'A container gets its whole grace period after its hook has run.',
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
    why: 'Waits for a hook without a limit.',
    origin: 'common',
    law: 'Level 7',
    edits: [['parts.steps.preStop(of, id, seconds));', 'parts.steps.preStop(of, id, 1e6));']],
  },
  {
    id: 'nothing-is-left-after-the-hook',
    why: 'Kills a container at once if its hook has used up the grace period.',
    origin: 'common',
    law: 'Grace period',
    edits: [['Math.max(MINIMUM_GRACE_SECONDS, seconds)', 'Math.max(0, seconds)']],
  },
  {
    id: 'one-after-another',
    why: 'Stops the containers one by one, each with its own grace period.',
    origin: 'common',
    law: 'Level 7',
    edits: [[`await Promise.all(containers.map(kill));`, `for (const each of containers) await kill(each);`]],
  },
  {
    id: 'sandbox-is-left',
    why: 'Stops the containers but not the sandbox, whose address is never released.',
    origin: 'common',
    law: 'Level 7',
    edits: [['for (const id of sandboxIDs) result', 'for (const id of sandboxIDs.slice(1)) result']],
  },
  {
    id: 'kill-failed-is-killed',
    why: 'A pod counts as ended although its containers or its sandbox could not be stopped.',
    origin: 'k#113091',
    law: 'Level 7',
    edits: [['    throw error;\n  }\n  parts.probes.removePod(pod);', '  }\n  parts.probes.removePod(pod);']],
  },
  {
    id: 'end-without-exit-codes',
    why: 'Reports the status from before the stop, without the exit codes.',
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
    why: "The final status lacks the pod's address.",
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
    why: 'Keeps waiting for the longer grace period after a second delete with a shorter one.',
    origin: 'k#113717',
    law: 'Level 7',
    hidden:
      'Upstream waits for the longer grace period, too: a law must accept both, and only the contract of this kata asks for more.',
    edits: [
      [
        'runningPod(pod, podStatus), { graceSeconds, signal });',
        'runningPod(pod, podStatus), { graceSeconds });',
      ],
    ],
  },
  {
    id: 'never-lets-go',
    why: 'Never reports the end of the termination: the pod stays Terminating in the API.',
    origin: 'common',
    law: 'Completes',
    edits: [['  parts.statuses.terminatePod(pod);\n', '']],
  },
  {
    id: 'removes-what-it-stops',
    why: 'Removes the sandbox of an ended pod together with its containers, so that users cannot inspect them.',
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
    why: 'A container with a failed probe gets the grace period of the pod, not that of the probe.',
    origin: 'common',
    law: 'Level 7 · Stop > uses the grace period of the failed probe',
    edits: [
      [
        'terminationGracePeriod(of.pod, of.container, reason)',
        'terminationGracePeriod(of.pod, of.container, undefined)',
      ],
    ],
  },
  {
    id: 'probes-go-on',
    why: 'Liveness and startup probes go on while the pod ends: they fail, and the kubelet reports the failures.',
    origin: 'common',
    law: 'True events',
    edits: [['  parts.probes.stopLivenessAndStartup(pod);\n', '']],
  },
  {
    id: 'newest-sandbox-only',
    why: 'Stops only the newest of two sandboxes: the other one keeps its address.',
    origin: 'common',
    law: 'Level 7',
    hidden:
      'A kubelet creates a sandbox after it has stopped the one before: only another program can create a second.',
    edits: [['for (const id of sandboxIDs) result', 'for (const id of sandboxIDs.slice(0, 1)) result']],
  },
  {
    id: 'hook-is-not-cut-short',
    why: 'A shorter grace period ends the wait for the container, but not the wait for its preStop hook.',
    origin: 'kubernetes/kubernetes@v1.36.3',
    law: 'Level 7',
    hidden:
      'Upstream waits for the hook, too: a law must accept both, and only the contract of this kata asks for more.',
    edits: [
      [
        'seconds -= await interruptible(signal, parts.steps.preStop(of, id, seconds));',
        'seconds -= await parts.steps.preStop(of, id, seconds);',
      ],
    ],
  },
  {
    id: 'hook-without-time',
    why: 'Runs the preStop hook of a container whose grace period is 0.',
    origin: 'common',
    law: 'Level 7',
    edits: [
      [
        'if (seconds > 0) seconds -= await interruptible(signal, parts.steps.preStop',
        'seconds -= await interruptible(signal, parts.steps.preStop',
      ],
    ],
  },
  {
    id: 'gone-cannot-be-stopped',
    why: 'Fails to stop a container that the runtime no longer has.',
    origin: 'common',
    law: 'Level 7',
    hidden: 'Only another program removes a container between the read of the runtime and the stop.',
    edits: [['    if (!cri.isCriNotFound(error)) throw error;', '    if (cri) throw error;']],
  },
];
