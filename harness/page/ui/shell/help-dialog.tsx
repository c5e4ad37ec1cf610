import { useEffect, useRef } from 'preact/hooks';
import { MarkGlyph } from '../cluster/mark-glyph.tsx';
import type { MarkShape, Tone } from '../cluster/pod-mark.ts';
import type { Settings } from '../settings.ts';
import { texts } from '../texts.ts';

/** Properties of the dialog. */
export interface HelpDialogProps {
  readonly settings: Settings;
  readonly onSettings: (settings: Settings) => void;
  readonly onClose: () => void;
}

const tones: Readonly<Record<keyof typeof texts.help.statuses, Tone>> = {
  disc: 'good',
  half: 'warn',
  ring: 'soft',
  dashed: 'warn',
  cross: 'bad',
  minus: 'soft',
  check: 'soft',
};

/** The keys, the marks, and the settings. */
export function HelpDialog({ settings, onSettings, onClose }: HelpDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  const words = texts.help;
  return (
    <dialog class="help" ref={dialog} onClose={onClose} aria-labelledby="help-title">
      <form method="dialog">
        <button type="submit" class="close" aria-label={words.close}>
          ×
        </button>
      </form>
      <div class="help-columns">
        <section>
          <h2 id="help-title">{words.title}</h2>
          <dl class="keys">
            {words.keys.map(([key, meaning]) => (
              <div key={key}>
                <dt>
                  <kbd>{key}</kbd>
                </dt>
                <dd>{meaning}</dd>
              </div>
            ))}
          </dl>
        </section>
        <section>
          <h2>{words.marks}</h2>
          <ul class="legend">
            {Object.entries(words.markKinds).map(([kind, meaning]) => (
              <li key={kind}>
                <svg class={`legend-mark mark-${kind}`} viewBox="0 0 16 12" aria-hidden="true">
                  {markShapes[kind as keyof typeof markShapes]}
                </svg>
                {meaning}
              </li>
            ))}
            {Object.entries(words.statuses).map(([shape, meaning]) => (
              <li key={shape}>
                <MarkGlyph shape={shape as MarkShape} tone={tones[shape as keyof typeof tones]} />
                {meaning}
              </li>
            ))}
          </ul>
          <p>{words.crossed}</p>
          <h2>{words.settings}</h2>
          <Switch
            label={words.pausesWhenHidden}
            isOn={settings.pausesWhenHidden}
            onChange={(pausesWhenHidden) => onSettings({ ...settings, pausesWhenHidden })}
          />
          <Switch
            label={words.usesKeys}
            isOn={settings.usesKeys}
            onChange={(usesKeys) => onSettings({ ...settings, usesKeys })}
          />
          <Switch
            label={words.showsBackground}
            isOn={settings.showsBackground}
            onChange={(showsBackground) => onSettings({ ...settings, showsBackground })}
          />
        </section>
      </div>
    </dialog>
  );
}

const markShapes: Readonly<Record<keyof typeof texts.help.markKinds, preact.JSX.Element>> = {
  request: <circle cx="8" cy="6" r="4" />,
  event: <path d="M13 6L4 1.5v9z" />,
  call: <path d="M4.5 2.5h7v7h-7z" />,
  probe: <path d="M8 1.5L12.5 6 8 10.5 3.5 6z" />,
  packet: <path d="M2.5 2.5h11v7h-11z" />,
};

interface SwitchProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

function Switch({ label, isOn, onChange }: SwitchProps) {
  return (
    <label class="switch">
      <input type="checkbox" checked={isOn} onChange={(event) => onChange(event.currentTarget.checked)} />
      {label}
    </label>
  );
}
