import { useState } from 'preact/hooks';
import { type Act, sayAct } from './act.ts';
import { defaultsOf, type Input, objectionsTo } from './input.ts';
import type { MenuItem } from './menus/menu.ts';
import { actTexts } from './texts.ts';

const { menu: texts, inputs: labels } = actTexts;

/** Properties of a {@link MenuForm}. */
interface MenuFormProps {
  readonly item: MenuItem;
  readonly onBack: () => void;
  readonly onAct: (act: Act) => void;
}

/** The values of a menu's item, and one line that says what will happen. */
export function MenuForm({ item, onBack, onAct }: MenuFormProps) {
  const [values, setValues] = useState(defaultsOf(item.inputs));
  const objections = objectionsTo(item.inputs, values);
  const isFit = Object.keys(objections).length === 0;
  return (
    <form
      class="act-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (isFit) onAct(item.act(values));
      }}
    >
      <h3>
        <button type="button" onClick={onBack} aria-label={texts.back}>
          ←
        </button>{' '}
        {item.label.replace(/ …$/, '')}
      </h3>
      {item.inputs.map((input) => (
        <Field
          key={input.name}
          input={input}
          value={values[input.name] ?? ''}
          objection={objections[input.name]}
          onChange={(value) => setValues({ ...values, [input.name]: value })}
        />
      ))}
      <p class="act-says" aria-live="polite">
        {isFit ? sayAct(item.act(values)) : ''}
      </p>
      <button type="submit" class="act-confirm" disabled={!isFit}>
        {texts.confirm}
      </button>
    </form>
  );
}

/** Properties of a {@link Field}. */
interface FieldProps {
  readonly input: Input;
  readonly value: string;
  /** Why the value cannot be used. */
  readonly objection: string | undefined;
  readonly onChange: (value: string) => void;
}

function Field({ input, value, objection, onChange }: FieldProps) {
  const control = {
    value,
    'aria-invalid': objection !== undefined,
    onInput: (event: { readonly currentTarget: { readonly value: string } }) =>
      onChange(event.currentTarget.value),
  };
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: each kind of input is a control
    <label class="act-field">
      <span>{input.label}</span>
      {input.kind === 'choice' && (
        <select {...control}>
          {input.options.map((option) => (
            <option key={option.value} value={option.value} selected={option.value === value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
      {input.kind === 'text' && (
        <input type="text" spellcheck={false} placeholder={input.placeholder} {...control} />
      )}
      {input.kind === 'number' && <NumberField input={input} control={control} onChange={onChange} />}
      {objection !== undefined && <small class="act-error">{objection}</small>}
    </label>
  );
}

/** Properties of a {@link NumberField}. */
interface NumberFieldProps {
  readonly input: Extract<Input, { kind: 'number' }>;
  readonly control: { readonly value: string };
  readonly onChange: (value: string) => void;
}

/** A number with its unit. A count has buttons for one fewer and one more. */
function NumberField({ input, control, onChange }: NumberFieldProps) {
  const { min, max, step, unit } = input;
  const stepBy = (by: number): void =>
    onChange(`${Math.max(min, Math.min(max, Number(control.value) + by))}`);
  return (
    <span class="act-number">
      {unit === '' && (
        <button type="button" aria-label={labels.fewer} onClick={() => stepBy(-1)}>
          −
        </button>
      )}
      <input type="number" min={min} max={max} step={step === 1 ? 1 : 'any'} {...control} />
      {unit === '' ? (
        <button type="button" aria-label={labels.more} onClick={() => stepBy(1)}>
          +
        </button>
      ) : (
        <span>{unit}</span>
      )}
    </span>
  );
}
