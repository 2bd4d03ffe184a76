"""Texts of a page that hardly stand out from what is painted behind them."""

# each text's contrast as WCAG 2 has it, which asks for 4.5
_PALE = """() => {
  const parse = text => {
    const part = text.match(/[\\d.]+/g).map(Number);
    const unit = text.startsWith('color(');
    const rgb = part.slice(0, 3).map(one => unit ? one : one / 255);
    return [...rgb, part[3] ?? 1];
  };
  const over = (top, under) => [0, 1, 2].map(i => top[3] * top[i] + (1 - top[3]) * under[i]);
  const bright = rgb => {
    const [r, g, b] = rgb.map(x => x <= .04045 ? x / 12.92 : ((x + .055) / 1.055) ** 2.4);
    return .2126 * r + .7152 * g + .0722 * b;
  };
  const ground = element => {
    if (!element) return [1, 1, 1];
    return over(parse(getComputedStyle(element).backgroundColor), ground(element.parentElement));
  };
  const opacity = element =>
    element ? getComputedStyle(element).opacity * opacity(element.parentElement) : 1;
  const pale = new Set();
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const element = walk.currentNode.parentElement;
    if (!walk.currentNode.data.trim() || element.closest('.unseen, script, option')) continue;
    if (!element.checkVisibility()) continue;
    const style = getComputedStyle(element);
    const colour = parse(element.closest('svg') ? style.fill : style.color);
    colour[3] *= opacity(element);
    const back = ground(element);
    const [low, high] = [bright(over(colour, back)), bright(back)].sort((a, b) => a - b);
    const contrast = (high + .05) / (low + .05);
    if (contrast < 4.5) pale.add(`${walk.currentNode.data.trim()}: ${contrast.toFixed(1)}`);
  }
  return [...pale];
}"""


def pale(page):
    """Return the texts that can be seen with less contrast than 4.5, and how much they have."""
    return page.evaluate(_PALE)
