// Numbers for people.

const grouped = new Intl.NumberFormat("en-US");

export function count(value: number): string {
  return grouped.format(value);
}

export function percent(share: number, decimals = 1): string {
  return `${(100 * share).toFixed(decimals)} %`;
}

/** 1234567 as "1.23 M". */
export function short(value: number): string {
  const size = Math.abs(value);
  for (const [unit, letter] of [[1e9, " G"], [1e6, " M"], [1e3, " k"]] as const)
    if (size >= unit) return `${Number((value / unit).toPrecision(3))}${letter}`;
  return `${Number(value.toPrecision(3))}`;
}

/** Seconds as "1:05:00", or "3:07". */
export function clock(seconds: number): string {
  const whole = Math.round(seconds);
  const part = (value: number) => String(value).padStart(2, "0");
  const hours = Math.floor(whole / 3600), minutes = Math.floor(whole / 60) % 60;
  return hours > 0 ? `${hours}:${part(minutes)}:${part(whole % 60)}` : `${minutes}:${part(whole % 60)}`;
}

export function inUnit(value: number, unit: string): string {
  if (unit === "share") return percent(value);
  if (unit === "elo") return `${Math.round(value) >= 0 ? "+" : ""}${Math.round(value)}`;
  if (unit === "nats") return value.toFixed(3);
  return Math.abs(value) >= 1e4 ? count(Math.round(value)) : `${Number(value.toPrecision(4))}`;
}
