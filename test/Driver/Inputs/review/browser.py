# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""browser.py <report> <report of derivatives>: clicks through a report in headless Chromium, as a
reviewer does, and fails at the first thing that is not as it should be."""

import os
import sys

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

report = os.path.abspath(sys.argv[1])
options = webdriver.ChromeOptions()
for flag in ("--headless=new", "--no-sandbox", "--disable-gpu",
             "--disable-dev-shm-usage", "--window-size=1400,900"):
    options.add_argument(flag)
options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
driver = webdriver.Chrome(service=Service("chromedriver"), options=options)


def check(holds, what):
    if not holds:
        print("FAILED:", what)
        driver.quit()
        sys.exit(1)
    print("ok:", what)


def all_of(selector):
    return driver.find_elements(By.CSS_SELECTOR, selector)


def one(selector):
    return driver.find_element(By.CSS_SELECTOR, selector)


def script(text, *args):
    return driver.execute_script(text, *args)


def visible_rows():
    return script("return [...document.querySelectorAll('tr[data-status]')].filter(r => r.offsetParent !== null && !r.hidden).map(r => r.textContent)")


def lit():
    return script("return [...document.querySelectorAll('.l.lit')].map(l => [l.closest('.code').getAttribute('aria-label'), l.textContent])")


def point_at(element):
    webdriver.ActionChains(driver).move_to_element(element).perform()


def statement(pane, text):
    for link in all_of(f".code[aria-label='{pane}'] .l"):
        if text in link.text:
            return link
    check(False, f"a link '{text}' in {pane}")


try:
    driver.get("file://" + report + "/index.html")
    rows = visible_rows()
    check(len(rows) >= 8, f"the index has its rows ({len(rows)})")
    check("<img src=x onerror=" in one("main").text, "a hostile name is text")
    check(not all_of("main img"), "and no element")
    check(one(".filters").is_displayed(), "the filters are there")

    # Filters.
    partial = one(".filters button[data-status=partial]")
    partial.click()
    some = visible_rows()
    check(0 < len(some) < len(rows) and all(r.startswith("partial") for r in some), "only what is partial")
    check(f"{len(some)} of {len(rows)} shown" in one(".shown").text, "how many are shown")
    partial.click()
    check(len(visible_rows()) == len(rows), "all again")
    webdriver.ActionChains(driver).send_keys("/").perform()
    check(script("return document.activeElement.type") == "search", "/ goes to the text")
    driver.switch_to.active_element.send_keys("smooth")
    check(len(visible_rows()) == 1, "a name finds its row")
    driver.switch_to.active_element.send_keys(" nothing-is-called-so")
    check(one(".none").is_displayed() and not visible_rows(), "nothing fits, and says so")
    driver.switch_to.active_element.send_keys(Keys.ESCAPE)
    check(len(visible_rows()) == len(rows), "Escape empties it")
    kind = script("const s = document.querySelector('.filters select'); s.selectedIndex = 1; s.dispatchEvent(new Event('change')); return s.value")
    check(0 < len(visible_rows()) < len(rows), f"a kind ({kind})")
    script("const s = document.querySelector('.filters select'); s.selectedIndex = 0; s.dispatchEvent(new Event('change'))")

    # A function.
    for link in all_of("td a"):
        if link.text == "chain":
            link.click()
            break
    check("loops.cpp" in one("h1").text and driver.current_url.split("#")[1].startswith("r"), "a function opens")
    check("</script><script>document.title = 'x'</script>" in open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "loops.cpp")).read(), "its source has what it should not run")
    check(driver.title.endswith("loops.cpp: review"), "and none of it ran")
    check(any('<img src=x onerror="' in p.text for p in all_of(".code")), "a comment is text")

    # Links between statements.
    point_at(statement("Source of chain", "y[i] = a * x[i];"))
    now = lit()
    check(any(p == "Raised of chain" and "a * x[i]" in t for p, t in now), "source lights what became of it")
    point_at(one("h1"))
    check(not lit(), "and lets go")
    point_at(statement("Raised of chain", "for (int i"))
    heads = [t for p, t in lit() if p == "Source of chain" and "for" in t]
    check(len(heads) == 2, "a fused loop lights both heads")
    statement("Source of chain", "z[i] = y[i] + 1.0f;").click()
    point_at(one("h1"))
    check(any("z[i]" in t for p, t in lit() if p == "Raised of chain"), "a click keeps it")
    check("Raised of chain: line" in one(".status").get_attribute("textContent"), "and says where")
    webdriver.ActionChains(driver).send_keys(Keys.ESCAPE).perform()
    check(not lit(), "Escape lets go")

    # By keyboard alone.
    pane = one(".code[aria-label='Source of chain']")
    driver.get(driver.current_url.split("#")[0])
    for _ in range(200):
        webdriver.ActionChains(driver).send_keys(Keys.TAB).perform()
        if script("return document.activeElement.getAttribute('aria-label')") == "Source of chain":
            break
    check(lit(), "Tab to a pane lights its first statement")
    first = lit()
    webdriver.ActionChains(driver).send_keys(Keys.ARROW_DOWN).perform()
    check(lit() and lit() != first, "the arrow goes on")
    webdriver.ActionChains(driver).send_keys(Keys.ENTER).perform()
    check(script("return document.activeElement.getAttribute('aria-label')") == "Raised of chain", "Enter goes across")
    check(lit(), "with the statement lit")

    # A reason, and a drawing.
    check(all_of("figure.nest svg"), "a drawing of what was left")
    for link in all_of(".reason a"):
        if link.text == "CR1603":
            link.click()
            break
    check(one("#CR1603 h2").is_displayed(), "a code leads to its page")

    # The theme is kept.
    back = lambda: script("return getComputedStyle(document.body).backgroundColor")
    theme = one(".theme")
    theme.click()
    light = back()
    theme.click()
    dark = back()
    check(theme.text == "Theme: dark" and dark != light, "a dark theme")
    driver.get("file://" + report + "/index.html")
    check(back() == dark, "which stays")

    # A derivative: three panes.
    driver.get("file://" + os.path.abspath(sys.argv[2]) + "/0001-loops.cpp.html")
    point_at(statement("Source of dot", "sum += x[i] * y[i];"))
    panes = {p for p, t in lit()}
    check(panes == {"Source of dot", "Raised primal of dot", "Derivative of dot"}, f"a statement lights all three {panes}")
    statement("Derivative of dot", "x_adj[i] +=").click()
    said = one(".status").get_attribute("textContent")
    check("Source of dot: line" in said and "Raised primal of dot: line" in said, f"both are said {said}")
    script("arguments[0].focus()", one(".code[aria-label='Derivative of dot']"))
    for wanted in ("Source of dot", "Raised primal of dot", "Derivative of dot"):
        webdriver.ActionChains(driver).send_keys(Keys.ENTER).perform()
        now = script("return document.activeElement.getAttribute('aria-label')")
        check(now == wanted, f"Enter goes to {wanted} ({now})")
    details = one("details")
    script("scrollTo(0, 0)")
    one("summary").click()
    check(details.get_attribute("open") is not None and all_of(".figures td")[0].is_displayed(), "figures unfold")

    # A phone.
    driver.set_window_size(500, 800)
    script("document.documentElement.style.maxWidth = '390px'")
    driver.get("file://" + report + "/0003-loops.cpp.html")
    check(script("return document.documentElement.scrollWidth <= innerWidth"), "a narrow window does not scroll sideways")

    for name in sorted(os.listdir(report)):
        if name.endswith(".html"):
            driver.get("file://" + report + "/" + name)
            check(driver.title != "x", f"nothing runs on {name}")
    said = [e for e in driver.get_log("browser")]
    check(not said, f"the console is empty {said}")
    asked = [e["message"] for e in driver.get_log("performance") if '"Network.requestWillBeSent"' in e["message"]]
    check(asked and not any('"url":"http' in m or '"url":"ws' in m for m in asked), "nothing is asked of a network")
finally:
    driver.quit()
