// A reader for the subset of XML that pictures use: elements, attributes, text, five entities.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace faultline::test {

struct XmlElement {
  std::string name;
  std::map<std::string, std::string> attributes;
  std::vector<XmlElement> children;
  std::string text;  // its own, joined

  /// The element and all its descendants, in document order.
  std::vector<const XmlElement*> all() const {
    std::vector<const XmlElement*> found = {this};
    for (const XmlElement& child : children)
      for (const XmlElement* below : child.all())
        found.push_back(below);
    return found;
  }
  std::string attribute(const std::string& key) const {
    const auto found = attributes.find(key);
    return found == attributes.end() ? std::string() : found->second;
  }
};

/// Throws std::runtime_error, with the position, for anything but a single well-formed element.
class XmlReader {
 public:
  explicit XmlReader(std::string_view text) : text_(text) {}

  XmlElement read() {
    skip_blanks();
    XmlElement root = element();
    skip_blanks();
    require(at_ == text_.size(), "something after the root element");
    return root;
  }

 private:
  void require(bool holds, const std::string& what) const {
    if (!holds) throw std::runtime_error("XML, byte " + std::to_string(at_) + ": " + what);
  }
  char next() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool take(std::string_view expected) {
    if (text_.substr(at_, expected.size()) != expected) return false;
    at_ += expected.size();
    return true;
  }
  void skip_blanks() {
    while (next() == ' ' || next() == '\n')
      ++at_;
  }
  std::string word() {
    const std::size_t start = at_;
    while ((next() >= 'a' && next() <= 'z') || (next() >= 'A' && next() <= 'Z') || next() == '-')
      ++at_;
    require(at_ > start, "a name is missing");
    return std::string(text_.substr(start, at_ - start));
  }
  /// Up to `end`, with entities resolved.
  std::string characters(char end) {
    static const std::map<std::string, char> entities = {
        {"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}};
    std::string result;
    while (next() != end) {
      require(at_ < text_.size(), "the text ends too early");
      require(next() != '<', "'<' inside text");
      const char c = text_[at_++];
      require(c >= ' ' || c == '\n', "a control character");
      if (c != '&') {
        result += c;
        continue;
      }
      const std::string entity = word();
      require(entities.contains(entity) && take(";"), "unknown entity " + entity);
      result += entities.at(entity);
    }
    return result;
  }
  XmlElement element() {
    require(take("<"), "an element should begin here");
    XmlElement result;
    result.name = word();
    while (true) {
      const bool apart = next() == ' ' || next() == '\n';
      skip_blanks();
      if (take("/>")) return result;
      if (take(">")) break;
      require(apart, "no blank before an attribute");
      const std::string key = word();
      require(take("=\""), "an attribute without a value");
      require(result.attributes.emplace(key, characters('"')).second, key + " is given twice");
      require(take("\""), "a value without an end");
    }
    while (true) {
      result.text += characters('<');
      if (take("</")) {
        require(word() == result.name && take(">"), "the end of " + result.name + " is missing");
        return result;
      }
      result.children.push_back(element());
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace faultline::test
