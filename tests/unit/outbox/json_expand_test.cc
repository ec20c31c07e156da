// What Debezium 3.6.1.Final makes of these payloads, byte for byte, unless a test says that walpost
// does otherwise. The order of a union is walpost's own: Debezium's differs from run to run.
#include "outbox/json_expand.h"

#include <absl/status/status.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "outbox/json_compact.h"

namespace walpost::outbox {
namespace {

std::string Expanded(std::string_view payload, const ExpandOptions& options = {}) {
  std::string out;
  const absl::Status status = AppendExpandedJson(payload, options, out);
  EXPECT_TRUE(status.ok()) << status;
  return out;
}

ExpandOptions WithNulls() {
  ExpandOptions options;
  options.keep_nulls = true;
  return options;
}

ExpandOptions WithEmptyArrays() {
  ExpandOptions options;
  options.keep_empty_arrays = true;
  return options;
}

// As a JSON string of the whole text.
std::string Quoted(std::string_view payload) {
  std::string out = "\"";
  for (const char c : payload) {
    if (c == '"' || c == '\\') out.push_back('\\');
    out.push_back(c);
  }
  return out + "\"";
}

std::string Nested(std::size_t levels) {
  std::string text;
  for (std::size_t i = 0; i < levels; ++i) text += R"({"a":)";
  return text + "1" + std::string(levels, '}');
}

TEST(ExpandedJson, IsCompactAndKeepsTheOrder) {
  EXPECT_EQ(Expanded("{ \"a\" : 1 ,\n\t\"b\" : [ 1 , 2 ] }"), R"({"a":1,"b":[1,2]})");
  EXPECT_EQ(Expanded(R"({"z":1,"a":2,"m":{"y":1,"b":2}})"), R"({"z":1,"a":2,"m":{"y":1,"b":2}})");
  EXPECT_EQ(Expanded(R"({"a":{"b":{"c":{"d":[{"e":[{"f":1}]}]}}}})"),
            R"({"a":{"b":{"c":{"d":[{"e":[{"f":1}]}]}}}})");
  EXPECT_EQ(Expanded("{}"), "{}");
}

TEST(ExpandedJson, AppendsBehindWhatIsThere) {
  std::string out = "{\"payload\":";
  EXPECT_TRUE(AppendExpandedJson(R"({"a": 1})", {}, out).ok());
  EXPECT_TRUE(AppendExpandedJson("[1, 2]", {}, out).ok());
  EXPECT_TRUE(AppendExpandedJson("x", {}, out).ok());
  EXPECT_EQ(out, R"({"payload":{"a":1}[1,2]"x")");
}

TEST(ExpandedJson, DropsNullsAndEmptyArraysOfMembers) {
  EXPECT_EQ(Expanded(R"({"a": {"y": null, "z": [1, 2, 3]}, "b": 1, "t": "naïve ☕ 日本"})"),
            R"({"a":{"z":[1,2,3]},"b":1,"t":"naïve ☕ 日本"})");
  EXPECT_EQ(Expanded(R"({"t":true,"f":false,"n":null,"s":"x","e":""})"),
            R"({"t":true,"f":false,"s":"x","e":""})");
  EXPECT_EQ(Expanded(R"({"a":{"b":null}})"), R"({"a":{}})");
  EXPECT_EQ(Expanded(R"({"a":{"b":[]}})"), R"({"a":{}})");
  EXPECT_EQ(Expanded(R"({"a":{}})"), R"({"a":{}})");
}

TEST(ExpandedJson, KeepsNullsWhenAsked) {
  EXPECT_EQ(Expanded(R"({"a": {"y": null, "z": [1, 2, 3]}, "b": 1})", WithNulls()),
            R"({"a":{"y":null,"z":[1,2,3]},"b":1})");
  EXPECT_EQ(Expanded(R"({"a":[{"a":null},{"a":null}]})", WithNulls()),
            R"({"a":[{"a":null},{"a":null}]})");
  EXPECT_EQ(Expanded(R"({"a":[null,null]})", WithNulls()), R"({"a":[null,null]})");
  EXPECT_EQ(Expanded(R"({"a":1,"b":2,"a":null})", WithNulls()), R"({"a":null,"b":2})");
  EXPECT_EQ(Expanded(R"({"empty":[],"a":null})", WithNulls()), R"({"a":null})");
}

// By the source of Debezium 3.7, which has the option.
TEST(ExpandedJson, KeepsEmptyArraysWhenAsked) {
  EXPECT_EQ(Expanded(R"({"a":[],"n":null,"b":{"c":[]}})", WithEmptyArrays()),
            R"({"a":[],"b":{"c":[]}})");
  EXPECT_EQ(Expanded(R"({"a":[[]]})", WithEmptyArrays()), R"({"a":[[]]})");
  EXPECT_EQ(Expanded(R"({"a":[{"a":[]},{"a":[1]}]})", WithEmptyArrays()),
            R"({"a":[{"a":[]},{"a":[1]}]})");
  EXPECT_EQ(Expanded(R"({"a":[{"a":[1]},{"a":[]}]})", WithEmptyArrays()),
            R"({"a":[{"a":[1]},{"a":[]}]})");
}

TEST(ExpandedJson, KeepsIntegersAndRendersAllElseAsJavaDoubles) {
  EXPECT_EQ(Expanded(R"({"d": 0.1000000000000000055511151231257827, "e": 1500,)"
                     R"( "n": 9007199254740993, "neg": 0.0})"),
            R"({"d":0.1,"e":1500,"n":9007199254740993,"neg":0.0})");
  EXPECT_EQ(Expanded(R"({"a":1e5,"b":1E-7,"c":123456789012345678,"d":1.0,"e":100.0,"f":1e21,)"
                     R"("g":12345678901234567890.5})"),
            R"({"a":100000.0,"b":1.0E-7,"c":123456789012345678,"d":1.0,"e":100.0,"f":1.0E21,)"
            R"("g":1.2345678901234567E19})");
  EXPECT_EQ(Expanded(R"({"a":-0,"b":-0.0,"c":0.001,"d":0.0001,"g":2147483647,"h":2147483648,)"
                     R"("i":-2147483648,"j":-2147483649,"k":9223372036854775807,)"
                     R"("l":-9223372036854775808})"),
            R"({"a":0,"b":-0.0,"c":0.001,"d":1.0E-4,"g":2147483647,"h":2147483648,)"
            R"("i":-2147483648,"j":-2147483649,"k":9223372036854775807,)"
            R"("l":-9223372036854775808})");
}

TEST(ExpandedJson, TakesDoublesToTheirEnds) {
  EXPECT_EQ(Expanded(R"({"a":4.90,"c":5e-324,"d":1e-400,"h":1.7976931348623157e308,)"
                     R"("i":9007199254740993.0,"l":9.999999e6,"m":1e7})"),
            R"({"a":4.9,"c":4.9E-324,"d":0.0,"h":1.7976931348623157E308,)"
            R"("i":9.007199254740992E15,"l":9999999.0,"m":1.0E7})");
  EXPECT_EQ(Expanded(R"({"a":1E400,"b":-1E400})"), R"({"a":"Infinity","b":"-Infinity"})");
}

TEST(ExpandedJson, WritesStringsAndNamesAsJacksonDoes) {
  EXPECT_EQ(Expanded(R"({"esc":"q\"b\\s\/n\nr\rt\tb\bf\fu\u0001\u001f\u0000"})"),
            R"({"esc":"q\"b\\s/n\nr\rt\tb\bf\fu\u0001\u001F\u0000"})");
  EXPECT_EQ(Expanded(R"({"a":"\/<>&\u2028\u00e9😀"})"), "{\"a\":\"/<>&\u2028é\\uD83D\\uDE00\"}");
  EXPECT_EQ(Expanded(R"({"a\"b\n":1,"é":2," ":4,"a.b":5,"a-b":6,"1x":7,"😀":8})"),
            R"({"a\"b\n":1,"é":2," ":4,"a.b":5,"a-b":6,"1x":7,"\uD83D\uDE00":8})");
  EXPECT_EQ(Expanded(R"({"a":"\ud83d","b":"\ude00\ud83d","c":"\ud83d\ude00"})"),
            R"({"a":"\uD83D","b":"\uDE00\uD83D","c":"\uD83D\uDE00"})");
}

TEST(ExpandedJson, GivesADuplicateTheFirstPlaceAndTheLastValue) {
  EXPECT_EQ(Expanded(R"({"a":1,"b":2,"a":3})"), R"({"a":3,"b":2})");
  EXPECT_EQ(Expanded(R"({"a":1,"b":2,"\u0061":"s"})"), R"({"a":"s","b":2})");
  EXPECT_EQ(Expanded(R"({"a":1,"b":2,"a":null})"), R"({"b":2})");
  EXPECT_EQ(Expanded(R"({"a":null,"b":2,"a":1})"), R"({"a":1,"b":2})");
  EXPECT_EQ(Expanded(R"({"a":{"x":1},"a":{"y":2}})"), R"({"a":{"y":2}})");
}

TEST(ExpandedJson, FindsDuplicatesAmongManyMembers) {
  std::string payload = "{";
  std::string want = "{";
  for (int i = 0; i < 50; ++i) {
    const std::string name = "\"m" + std::to_string(i) + "\":";
    payload += name + "1,";
    want += name + (i % 10 == 3 ? "2," : "1,");
  }
  for (int i = 3; i < 50; i += 10) payload += "\"m" + std::to_string(i) + "\":2,";
  payload.back() = want.back() = '}';
  EXPECT_EQ(Expanded(payload), want);
}

TEST(ExpandedJson, IgnoresWhatFollowsTheFirstValue) {
  for (const char* tail : {" \n", " x", "x", R"({"b":2})", "[1]", "}"}) {
    EXPECT_EQ(Expanded(R"({"a":1})" + std::string(tail)), R"({"a":1})") << tail;
  }
}

TEST(ExpandedJson, GivesObjectsOfAnArrayTheUnionOfTheirMembers) {
  EXPECT_EQ(Expanded(R"({"a":[{"x":1},{"y":2}]})"), R"({"a":[{"x":1,"y":null},{"x":null,"y":2}]})");
  EXPECT_EQ(Expanded(R"({"a":[{"x":1,"y":"s"},{"x":2},{"y":"t"}]})"),
            R"({"a":[{"x":1,"y":"s"},{"x":2,"y":null},{"x":null,"y":"t"}]})");
  EXPECT_EQ(Expanded(R"({"a":[{"m":1,"n":2,"o":3},{"o":4,"p":5},{}]})"),
            R"({"a":[{"m":1,"n":2,"o":3,"p":null},{"m":null,"n":null,"o":4,"p":5},)"
            R"({"m":null,"n":null,"o":null,"p":null}]})");
  EXPECT_EQ(Expanded(R"({"a":[{"x":1,"y":2},{"y":3,"x":4}]})"),
            R"({"a":[{"x":1,"y":2},{"x":4,"y":3}]})");
  EXPECT_EQ(Expanded(R"({"a":[{},{"x":1}]})"), R"({"a":[{"x":null},{"x":1}]})");
}

TEST(ExpandedJson, KeepsANullOrEmptyMemberThatAnotherElementFills) {
  for (const char* payload : {R"({"a":[{"a":null},{"a":1}]})", R"({"a":[{"a":1},{"a":null}]})",
                              R"({"a":[{"a":null},{"a":{"b":1}}]})",
                              R"({"a":[{"a":[]},{"a":[1]}]})", R"({"a":[{"a":[1]},{"a":[]}]})"}) {
    EXPECT_EQ(Expanded(payload), payload);
    EXPECT_EQ(Expanded(payload, WithNulls()), payload);
  }
  EXPECT_EQ(Expanded(R"({"a":[{"a":[]},{"a":[]}]})"), R"({"a":[{},{}]})");
  EXPECT_EQ(Expanded(R"({"a":[{"x":1,"n":null},{"x":2,"n":null}]})"), R"({"a":[{"x":1},{"x":2}]})");
}

// Debezium takes the members of one element, by chance, and loses those of the others.
TEST(ExpandedJson, LosesNoMemberOfNestedObjects) {
  EXPECT_EQ(Expanded(R"({"a":[{"x":{"y":1}},{"x":{"z":2}}]})"),
            R"({"a":[{"x":{"y":1,"z":null}},{"x":{"y":null,"z":2}}]})");
  EXPECT_EQ(Expanded(R"({"a":[{"x":[{"y":1}]},{"x":[{"z":2}]}]})"),
            R"({"a":[{"x":[{"y":1,"z":null}]},{"x":[{"y":null,"z":2}]}]})");
  EXPECT_EQ(Expanded(R"({"o":{"l":[{"p":{"q":1}},{"p":{"q":2,"r":3}}]}})"),
            R"({"o":{"l":[{"p":{"q":1,"r":null}},{"p":{"q":2,"r":3}}]}})");
  EXPECT_EQ(Expanded(R"({"a":[{"x":{"y":null}},{"x":{"y":1}}]})", WithNulls()),
            R"({"a":[{"x":{"y":null}},{"x":{"y":1}}]})");
}

TEST(ExpandedJson, GivesArraysOfArraysTheTypeOfTheFirst) {
  for (const char* payload : {R"({"a":[[1],[2]]})", R"({"a":[[1],[]]})", R"({"a":[[[1]],[[2]]]})",
                              R"({"a":[null,[1]]})", R"({"a":[[1],null]})"}) {
    EXPECT_EQ(Expanded(payload), payload);
  }
  EXPECT_EQ(Expanded(R"({"a":[[{"x":1}],[{"y":2}]]})"), R"({"a":[[{"x":1}],[{"x":null}]]})");
}

TEST(ExpandedJson, KeepsNullsInsideArrays) {
  for (const char* payload :
       {R"({"a":[null,1]})", R"({"a":[1,null]})", R"({"a":[null,"s"]})", R"({"a":[null,{"x":1}]})",
        R"({"a":[{"x":1},null]})", R"({"a":[true,null,false]})", R"({"a":[1.5,null,2.0]})"}) {
    EXPECT_EQ(Expanded(payload), payload);
  }
}

TEST(ExpandedJson, LeavesTextThatIsNoObjectOrArrayAsAString) {
  for (const char* payload : {"",
                              "  ",
                              "plain text",
                              "42",
                              "null",
                              "true",
                              R"("plain")",
                              R"( {"a":1})",
                              "{",
                              "[",
                              "{bad",
                              R"({"a":1,})",
                              "{'a':1}",
                              "{a:1}",
                              R"({"a":NaN})",
                              R"({"a":+1})",
                              R"({"a":01})",
                              R"({"a":.5})",
                              R"({"a":1/*c*/})",
                              R"({"a":[1,2)",
                              "\xef\xbb\xbf{}",
                              R"({"a":"\x"})"}) {
    EXPECT_EQ(Expanded(payload), Quoted(payload));
  }
  EXPECT_EQ(Expanded("\n{\"a\":\"\t\"}"), R"("\n{\"a\":\"\t\"}")");
}

TEST(ExpandedJson, LeavesAMixedArrayAnywhereAsAString) {
  for (const char* payload :
       {R"({"a":[1,2.5]})", R"({"a": [1, 9007199254740993]})", R"({"a":[1,"s"]})",
        R"({"a":[1,true]})", R"({"a":[1,{"x":1}]})", R"({"a":[{"x":1},[1]]})",
        R"({"ok":1,"n":null,"a":{"b":[1,"s"]}})", R"([1, "two", {"three": 3}])",
        R"({"a":[null,null]})", R"({"a":[null]})", R"({"a":[[]]})", R"({"a":[[],[1]]})", "[null]",
        "[]", R"({"a":1,"":3})"}) {
    EXPECT_EQ(Expanded(payload), Quoted(payload));
  }
  EXPECT_EQ(Expanded(R"({"":null,"a":1})"), R"({"a":1})");
}

// Debezium's task dies on these.
TEST(ExpandedJson, PublishesAsItIsWhatDebeziumDiesOf) {
  for (const char* payload :
       {"[1, 2]", R"([{"x": 1}, {"x": 2}])", R"(["a"])", "[[1]]", R"({"a": 9223372036854775808})",
        R"({"a": [9223372036854775808]})", R"({"a": -9223372036854775809})",
        R"({"a": [{"x": 1}, {"x": 2.50}]})", R"({"a": [{"x": 1}, {"x": 9007199254740993}]})",
        R"({"a": [{"x": 1}, {"x": "s"}]})", R"({"a": [{"x": {"y": 1}}, {"x": "s"}]})",
        R"({"a": [{"x": {}}, {"x": "s"}]})", R"({"a": [{"x": [1]}, {"x": "s"}]})",
        R"({"a": [{"a": [1]}, {"a": ["s"]}], "n": null})", R"({"a": [[1], ["s"]]})",
        R"({"a": [{"a": []}, {"a": 1}]})", R"({"a": [null, {"x": 1}, {"y": 2}]})"}) {
    std::string compact;
    ASSERT_TRUE(AppendCompactJson(payload, compact).ok());
    EXPECT_EQ(Expanded(payload), compact);
  }
  EXPECT_EQ(Expanded("[null]", WithNulls()), "[null]");
  EXPECT_EQ(Expanded("[1] x"), R"("[1] x")");
}

TEST(ExpandedJson, ExpandsNestingAsFarAsJacksonDoes) {
  EXPECT_EQ(Expanded(Nested(1000)), Nested(1000));
  EXPECT_EQ(Expanded(Nested(1001)), Quoted(Nested(1001)));
  EXPECT_EQ(Expanded(std::string(1'000'000, '[')), "\"" + std::string(1'000'000, '[') + "\"");
}

TEST(ExpandedJson, ExpandsNumbersAndNamesAsLongAsJacksonDoes) {
  const std::string fraction = R"({"a":0.)" + std::string(1000, '1');
  EXPECT_EQ(Expanded(fraction + "}"), R"({"a":0.1111111111111111})");
  EXPECT_EQ(Expanded(fraction + "1}"), Quoted(fraction + "1}"));
  const std::string integer = R"({"a":-)" + std::string(1000, '1');
  EXPECT_EQ(Expanded(integer + "}"), integer + "}");
  EXPECT_EQ(Expanded(integer + "1}"), Quoted(integer + "1}"));
  std::string name;
  for (int i = 0; i < 50'000; ++i) name += "é";
  EXPECT_EQ(Expanded("{\"" + name + "\":1}"), "{\"" + name + "\":1}");
  EXPECT_EQ(Expanded("{\"" + name + "x\":1}"), Quoted("{\"" + name + "x\":1}"));
}

// The union is the square of this.
TEST(ExpandedJson, PublishesAsItIsAPayloadWhoseUnionIsTooLong) {
  std::string payload = R"({"a":[)";
  for (int i = 0; i < 4000; ++i) payload += "{\"m" + std::to_string(i) + "\":1},";
  payload.back() = ']';
  payload += "}";
  EXPECT_EQ(Expanded(payload), payload);
}

TEST(ExpandedJson, RefusesAStringThatIsNoUtf8) {
  for (const char* payload : {"{\"a\":\"\xff\"}", "\xc3"}) {
    std::string out = "kept";
    EXPECT_TRUE(absl::IsInvalidArgument(AppendExpandedJson(payload, {}, out)));
    EXPECT_EQ(out, "kept");
  }
}

std::string ExpandedText(std::string_view payload, const ExpandOptions& options = {}) {
  std::string out;
  EXPECT_TRUE(AppendExpandedStruct(payload, options, out).ok());
  return out;
}

TEST(ExpandedStruct, IsPrintedAsJavaDoes) {
  const std::vector<std::pair<const char*, const char*>> cases = {
      {R"({"kept": 1})", "Struct{kept=1}"},
      {R"({"last": true})", "Struct{last=true}"},
      {R"({"a": {"y": null, "z": [1, 2, 3]}, "b": 1, "t": "naïve ☕ 日本"})",
       "Struct{a=Struct{z=[1, 2, 3]},b=1,t=naïve ☕ 日本}"},
      {R"({"d": 0.1000000000000000055511151231257827, "e": 1500, "n": 9007199254740993, "neg": 0.0})",
       "Struct{d=0.1,e=1500,n=9007199254740993,neg=0.0}"},
      {R"({"f": false, "t": true, "esc": "q\"b\\s/n\nt\tu\u0001"})",
       "Struct{f=false,t=true,esc=q\"b\\s/n\nt\tu\x01}"},
      {R"({"type": "null"})", "Struct{type=null}"},
      {"{}", "Struct{}"},
      {R"({"a":["x","y",""],"b":[null,1],"c":[null,{"x":1}],"d":[[1],[]]})",
       "Struct{a=[x, y, ],b=[null, 1],c=[null, Struct{x=1}],d=[[1], []]}"},
      {R"({"a":1E400,"b":1e5,"😀":"\ud83d\ude00"})", "Struct{a=Infinity,b=100000.0,😀=😀}"},
  };
  for (const auto& [payload, want] : cases) EXPECT_EQ(ExpandedText(payload), want);
}

TEST(ExpandedStruct, LeavesNullMembersOutOfAUnion) {
  const char* payload =
      R"({"deep": {"l": [{"x": 1}, {"x": null, "y": "s"}]}, "empty": [], "nulls": {"a": null}})";
  const char* want = "Struct{deep=Struct{l=[Struct{x=1}, Struct{y=s}]},nulls=Struct{}}";
  EXPECT_EQ(ExpandedText(payload), want);
  EXPECT_EQ(ExpandedText(payload, WithNulls()), want);
}

TEST(ExpandedStruct, HasAQuestionMarkForASurrogateAlone) {
  EXPECT_EQ(ExpandedText(R"({"a":"\ud83d","b":"x\ude00y퟿"})"), "Struct{a=?,b=x?y퟿}");
}

TEST(ExpandedStruct, LeavesAllElseTheTextThatItIs) {
  for (const char* payload :
       {"", "[]", R"([1, "two", {"three": 3}])", "[1, 2, 3]", R"("plain")", "42", "null",
        R"( {"a":1})", R"({"a": 9223372036854775808})", R"({"a": [{"x": 1}, {"x": 2.5}]})",
        R"({"a":[1,2.5]})", "{bad", "\xff"}) {
    EXPECT_EQ(ExpandedText(payload), payload);
  }
}

constexpr std::string_view kJsonSchema =
    R"({"type":"string","optional":true,"name":"io.debezium.data.Json","version":1})";

std::string WithSchema(std::string_view payload, const ExpandOptions& options = {}) {
  ExpandColumn column;
  column.schema = kJsonSchema;
  std::string out;
  EXPECT_TRUE(AppendExpandedSchemaJson(payload, options, column, out).ok());
  return out;
}

std::string StructSchema(const std::string& fields, const std::string& payload) {
  return R"({"schema":{"type":"struct","fields":[)" + fields +
         R"(],"optional":true,"name":"payload"},"payload":)" + payload + "}";
}

TEST(ExpandedSchema, NamesEachType) {
  EXPECT_EQ(WithSchema(R"({"d": 0.1, "e": 1500, "n": 9007199254740993, "t": true, "s": "é"})"),
            StructSchema(R"({"type":"double","optional":true,"field":"d"},)"
                         R"({"type":"int32","optional":true,"field":"e"},)"
                         R"({"type":"int64","optional":true,"field":"n"},)"
                         R"({"type":"boolean","optional":true,"field":"t"},)"
                         R"({"type":"string","optional":true,"field":"s"})",
                         R"({"d":0.1,"e":1500,"n":9007199254740993,"t":true,"s":"é"})"));
  EXPECT_EQ(WithSchema("{}"), StructSchema("", "{}"));
  EXPECT_EQ(WithSchema(R"({"a":null})", WithNulls()),
            StructSchema(R"({"type":"bytes","optional":true,"field":"a"})", R"({"a":null})"));
}

TEST(ExpandedSchema, NamesStructsByTheirPath) {
  EXPECT_EQ(
      WithSchema(R"({"a": {"y": null, "z": [1, 2, 3]}, "b": 1, "t": "naïve ☕ 日本"})"),
      StructSchema(
          R"({"type":"struct","fields":[{"type":"array","items":{"type":"int32","optional":true},)"
          R"("optional":true,"field":"z"}],"optional":true,"name":"payload.a","field":"a"},)"
          R"({"type":"int32","optional":true,"field":"b"},)"
          R"({"type":"string","optional":true,"field":"t"})",
          R"({"a":{"z":[1,2,3]},"b":1,"t":"naïve ☕ 日本"})"));
  EXPECT_EQ(WithSchema(R"({"a":[{}]})"),
            StructSchema(R"({"type":"array","items":{"type":"struct","fields":[],"optional":true,)"
                         R"("name":"payload.a"},"optional":true,"field":"a"})",
                         R"({"a":[{}]})"));
}

TEST(ExpandedSchema, DoesNotNameStructsInsideArraysOfArrays) {
  EXPECT_EQ(
      WithSchema(R"({"a":[[{"x":{}}]]})"),
      StructSchema(R"({"type":"array","items":{"type":"array","items":{"type":"struct","fields":[)"
                   R"({"type":"struct","fields":[],"optional":true,"name":"x","field":"x"}],)"
                   R"("optional":true},"optional":true},"optional":true,"field":"a"})",
                   R"({"a":[[{"x":{}}]]})"));
}

TEST(ExpandedSchema, HasAUnionThatIsNotOptional) {
  EXPECT_EQ(WithSchema(R"({"deep": {"l": [{"x": 1}, {"x": null, "y": "s"}]}})"),
            StructSchema(R"({"type":"struct","fields":[{"type":"array","items":{"type":"struct",)"
                         R"("fields":[{"type":"int32","optional":true,"field":"x"},)"
                         R"({"type":"string","optional":true,"field":"y"}],"optional":false,)"
                         R"("name":"payload.deep.l"},"optional":true,"field":"l"}],)"
                         R"("optional":true,"name":"payload.deep","field":"deep"})",
                         R"({"deep":{"l":[{"x":1,"y":null},{"x":null,"y":"s"}]}})"));
}

TEST(ExpandedSchema, IsThatOfTheColumnForAPayloadLeftAlone) {
  for (const char* payload : {R"("plain")", "42", "null", "[1, 2.5]", "[null]"}) {
    EXPECT_EQ(WithSchema(payload), R"({"schema":)" + std::string(kJsonSchema) + R"(,"payload":)" +
                                       Quoted(payload) + "}");
  }
  EXPECT_EQ(WithSchema("[]"), R"({"schema":null,"payload":"[]"})");
}

// Debezium's task dies on these; both halves must agree, so the payload is a string.
TEST(ExpandedSchema, LeavesAloneWhatDebeziumDiesOf) {
  for (const std::string& payload :
       {std::string("[1,2]"), std::string(R"({"a":9223372036854775808})"), Nested(500)}) {
    EXPECT_EQ(WithSchema(payload), R"({"schema":)" + std::string(kJsonSchema) + R"(,"payload":)" +
                                       Quoted(payload) + "}");
  }
  EXPECT_NE(WithSchema(Nested(499)).find(R"("type":"struct")"), std::string::npos);
}

TEST(ExpandedSchema, BoundsTheNamesOfDeepStructs) {
  const std::string name(2000, 'n');
  std::string payload;
  for (int i = 0; i < 400; ++i) payload += "{\"" + name + "\":";
  payload += "1" + std::string(400, '}');
  EXPECT_LT(WithSchema(payload).size(), payload.size() * 2);
}

TEST(ExpandedParts, AreTheFieldOfAnEnvelope) {
  ExpandColumn column;
  column.name = "body";
  column.schema = R"({"type":"string","optional":true,"field":"payload"})";
  column.field = "payload";
  std::string schema = "[";
  std::string value = "[";
  ASSERT_TRUE(AppendExpandedParts(R"({"a": {"b": 1}})", {}, column, schema, value).ok());
  EXPECT_EQ(schema,
            R"([{"type":"struct","fields":[{"type":"struct","fields":[{"type":"int32",)"
            R"("optional":true,"field":"b"}],"optional":true,"name":"body.a","field":"a"}],)"
            R"("optional":true,"name":"body","field":"payload"})");
  EXPECT_EQ(value, R"([{"a":{"b":1}})");
  schema.clear();
  value.clear();
  ASSERT_TRUE(AppendExpandedParts("[]", {}, column, schema, value).ok());
  EXPECT_EQ(schema, column.schema);
  EXPECT_EQ(value, R"("[]")");
}

TEST(ExpandedParts, AreLeftAsTheyWereOnAnError) {
  std::string schema = "a";
  std::string value = "b";
  const absl::Status status = AppendExpandedParts("\xff", {}, ExpandColumn{}, schema, value);
  EXPECT_TRUE(absl::IsInvalidArgument(status));
  EXPECT_EQ(schema + value, "ab");
}

}  // namespace
}  // namespace walpost::outbox
